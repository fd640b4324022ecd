#!/bin/sh
# A gate of a pipeline: an audit with JUnit, a summary, a page and the record, whatever comes out.
#
#   sh pipeline.sh diskaudit --profile tencent-standard --size 100 --disk /data
#
# REPORTS (reports) is where they go. ALLOW_INCONCLUSIVE=1 lets a disk pass that could not be judged.
set -u

if [ $# -lt 2 ]; then
  echo "usage: sh pipeline.sh diskaudit --profile ID --size GIB --disk PATH" >&2
  exit 2
fi
reports=${REPORTS:-reports}
mkdir -p "$reports" || exit 4

code=0
"$@" -o "$reports/diskaudit.xml" -o "$reports/diskaudit.md" -o "$reports/diskaudit.html" \
  -o "$reports/diskaudit.json.gz" || code=$?

# A step's summary on GitHub; other servers show the file as an artifact.
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$reports/diskaudit.md" ]; then
  cat "$reports/diskaudit.md" >>"$GITHUB_STEP_SUMMARY"
fi

case $code in
0) echo "gate: open, the disk delivers its quota" >&2 ;;
1) echo "gate: closed, the disk is below its quota" >&2 ;;
3)
  if [ "${ALLOW_INCONCLUSIVE:-}" = 1 ]; then
    echo "gate: open, though the disk could not be judged" >&2
    exit 0
  fi
  echo "gate: closed, the disk could not be judged" >&2
  ;;
*) echo "gate: closed, the audit did not run (exit code $code)" >&2 ;;
esac
exit "$code"
