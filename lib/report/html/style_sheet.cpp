#include "report/html/page.hpp"

namespace diskaudit::html {

std::string_view style_sheet() {
  return R"(
:root{color-scheme:light dark;--bg:#fff;--panel:#f5f7fa;--fg:#1c2128;--muted:#59636e;--rule:#d3d9e0;
--accent:#0a5bc4;--pass:#15703a;--fail:#b91c2c;--unclear:#8a5a00;--target:#6b3fa0;--shade:#0a5bc4;
--h1:#dce9f9;--h2:#b4d2f4;--h3:#7fb1ea;--h4:#478cdc;--h5:#1c66c2;--h6:#0a3c86}
@media (prefers-color-scheme:dark){:root{--bg:#12161c;--panel:#1b2129;--fg:#e5e9ee;--muted:#9aa5b1;
--rule:#38414c;--accent:#6cb0ff;--pass:#58c27d;--fail:#ff7b86;--unclear:#e0b04a;--target:#c39bf0;
--shade:#6cb0ff;
--h1:#1c2f49;--h2:#23486f;--h3:#2c659f;--h4:#4189d2;--h5:#82b9f6;--h6:#d6e8ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:64rem;padding:1rem;background:var(--bg);color:var(--fg);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"PingFang SC","Hiragino Sans GB",
"Microsoft YaHei","Noto Sans CJK SC","Noto Sans SC","Source Han Sans SC",sans-serif}
h1{font-size:1.5rem;line-height:1.3;margin:.7rem 0 .6rem}
h2{font-size:1.2rem;margin:1.8rem 0 .6rem;border-bottom:1px solid var(--rule);padding-bottom:.2rem}
h3{font-size:1.02rem;margin:1.2rem 0 .4rem}
p{margin:.4rem 0}
table{border-collapse:collapse;width:100%;font-size:.92rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--rule);vertical-align:top;
overflow-wrap:anywhere}
a{color:var(--accent)}
thead th{color:var(--muted);font-weight:600}
tbody th{font-weight:500}
.wide{overflow-x:auto}
.numbers th,.numbers td{white-space:nowrap;overflow-wrap:normal}
.runs thead th{white-space:normal}
.runs{font-size:.84rem}.runs th,.runs td{padding:.3rem .4rem}
.numbers td,.numbers thead th{text-align:right}
.numbers tbody th,.numbers thead th:first-child,.numbers .word{text-align:left}
.facts th{width:30%;color:var(--muted)}
.pairs th{width:auto;color:var(--muted);padding-left:1.2rem}.pairs th:first-child{padding-left:.6rem}
.pass{color:var(--pass)}.fail{color:var(--fail)}.inconclusive{color:var(--unclear)}
.not_tested{color:var(--muted)}
.banner{border:1px solid var(--rule);border-left:.5rem solid currentColor;background:var(--panel);
padding:.7rem 1rem;border-radius:.3rem;margin:.6rem 0}
.banner>*{color:var(--fg)}
.banner .word{color:inherit;font-weight:700}
.mono,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono",monospace;
font-size:.86rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--panel);padding:.6rem;
border-radius:.3rem;margin:.4rem 0}
ul{margin:.3rem 0;padding-left:1.3rem}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(26rem,100%),1fr));gap:.8rem 1.4rem}
figure{margin:.4rem 0}
figcaption{font-size:.86rem;color:var(--muted);margin-bottom:.2rem}
.legend{font-size:.82rem;color:var(--muted);display:flex;flex-wrap:wrap;gap:.1rem 1rem;margin:.2rem 0}
.legend svg{width:1.8rem;height:.8rem;margin-right:.35rem;vertical-align:-.1rem}
figure>svg{width:100%;height:auto;display:block}
svg text{font:15px system-ui,sans-serif;fill:var(--muted)}
svg text.x{text-anchor:middle}svg text.y{text-anchor:end}
.grid{stroke:var(--rule);fill:none}.axis{stroke:var(--muted);fill:none}
.rate{stroke:var(--accent);stroke-width:1.6;fill:none;stroke-linejoin:round}
.spread{fill:var(--accent);opacity:.25}
.target{stroke:var(--target);stroke-width:1.6;fill:none;stroke-dasharray:7 4}
.threshold{stroke:var(--fail);stroke-width:1.4;fill:none;stroke-dasharray:2 3}
.judged{fill:var(--shade);opacity:.09}
.interval{fill:var(--pass);opacity:.3}
.change{stroke:var(--unclear);stroke-width:1.6;fill:none;stroke-dasharray:5 3}
.cell{fill:var(--accent);shape-rendering:crispEdges}
.heat1{fill:var(--h1)}.heat2{fill:var(--h2)}.heat3{fill:var(--h3)}.heat4{fill:var(--h4)}
.heat5{fill:var(--h5)}.heat6{fill:var(--h6)}
[class^=heat]{shape-rendering:crispEdges}
details{font-size:.82rem;color:var(--muted)}summary{cursor:pointer}
.longest{stroke:var(--unclear);stroke-width:1.2;fill:none}
.point{fill:var(--fail);stroke:var(--bg);stroke-width:2}
.bar{width:6rem;height:.6rem;display:block;margin-top:.45rem}
.bar .track{fill:var(--rule)}.bar .fill{fill:currentColor}.bar .mark{fill:var(--fg)}
input[name=language]{position:absolute;opacity:0}
label{display:inline-block;padding:.15rem .8rem;border:1px solid var(--rule);border-radius:1rem;
cursor:pointer;margin-right:.4rem;font-size:.9rem;color:var(--muted)}
input:checked+label{color:var(--fg);border-color:var(--fg)}
input:focus-visible+label{outline:2px solid var(--accent);outline-offset:2px}
#to-en:checked~main .zh,#to-zh:checked~main .en{display:none}
@media (max-width:40rem){.pairs tr{display:grid;grid-template-columns:1fr 1fr}
.pairs th{padding-left:.6rem}}
@page{size:A4;margin:13mm 12mm}
@media print{:root{color-scheme:light;--bg:#fff;--panel:#f5f7fa;--fg:#000;--muted:#444;--rule:#ccc;
--accent:#0a5bc4;--pass:#15703a;--fail:#b91c2c;--unclear:#8a5a00;--target:#6b3fa0;--shade:#0a5bc4;
--h1:#dce9f9;--h2:#b4d2f4;--h3:#7fb1ea;--h4:#478cdc;--h5:#1c66c2;--h6:#0a3c86}
html{font-size:8.6pt}
body{max-width:none;padding:0;font-size:1rem;line-height:1.35}
label,details{display:none}.pairs th{white-space:nowrap}
h2{margin:1rem 0 .3rem;break-after:avoid}h3{margin:.6rem 0 .2rem;break-after:avoid}
th,td{padding:.14rem .4rem}.runs th,.runs td{padding:.14rem .25rem}pre{padding:.3rem}
.charts{grid-template-columns:1fr 1fr;gap:.3rem 1.2rem}
.scenario,figure,table,.banner,pre{break-inside:avoid}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)";
}

}  // namespace diskaudit::html
