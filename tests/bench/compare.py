#!/usr/bin/env python3
"""CPU time per I/O and IOPS of the measuring engine beside fio's, alternating on the same target.

compare.py ENGINE_BENCH TARGET [--depth 64] [--rounds 5] [--seconds 5] [--t-io-uring PATH]
compare.py ENGINE_BENCH TARGET --ablation

TARGET is a file of at least 64 MiB or a block device; it is only read. CPU time is user and system
of the whole program, io_uring's kernel threads included. Fewer microseconds are better: `cpu` is
diskaudit's divided by the other's (at most 1 wanted), `iops` likewise (at least 1 wanted).
"""
import argparse
import json
import re
import resource
import statistics
import subprocess
import sys

FEATURES = ["deferred_taskrun", "coop_taskrun", "submit_all", "registered_ring",
            "registered_buffers", "registered_file"]


def run(command):
    """Standard output of a command, and the CPU seconds that it and its children took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr or done.stdout}")
    return done.stdout, (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def diskaudit(args, engine="io_uring", without=()):
    out, _ = run([args.engine_bench, args.target, "read", "random", "4096", str(args.depth), "1",
                  str(args.seconds), engine, *without])
    diskaudit.features = out.split("features", 1)[1].strip()
    return (float(re.search(r"iops (\d+)", out).group(1)),
            float(re.search(r"cpu_us_per_io ([\d.]+)", out).group(1)))


def fio(args, *options):
    out, cpu = run(["fio", "--name=bench", f"--filename={args.target}", "--direct=1", "--thread",
                    "--rw=randread", "--bs=4k", f"--iodepth={args.depth}", "--time_based",
                    f"--runtime={args.seconds}", "--norandommap", "--readonly",
                    "--output-format=json", *options])
    read = json.loads(out[out.index("{"):])["jobs"][0]["read"]
    return read["iops"], cpu * 1e6 / read["total_ios"]


def t_io_uring(args, batch):
    out, cpu = run([args.t_io_uring, f"-d{args.depth}", f"-s{batch}", f"-c{batch}", "-b4096",
                    "-p0", "-B1", "-F1", "-R1", f"-r{args.seconds + 1}", "-n1", args.target])
    scale = {"": 1, "K": 1e3, "M": 1e6}
    rates = [float(n) * scale[u] for n, u in re.findall(r"^IOPS=([\d.]+)([KM]?)", out, re.M)]
    rate = statistics.mean(rates)
    return rate, cpu * 1e6 / (rate * (args.seconds + 1))


def table(rows, results, base):
    print(f"{'':34}{'IOPS':>9}{'us CPU/IO':>11}{'iops':>8}{'cpu':>7}")
    for row in rows:
        iops, cpu = (statistics.median(r[i] for r in results[row]) for i in (0, 1))
        # Within a round: what the machine's neighbours do from one round to the next drops out.
        ratio = [statistics.median(own[i] / other[i] for own, other in
                                   zip(results[base], results[row])) for i in (0, 1)]
        print(f"{row:34}{iops:9.0f}{cpu:11.3f}{ratio[0]:8.2f}{ratio[1]:7.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine_bench")
    parser.add_argument("target")
    parser.add_argument("--depth", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--t-io-uring", help="fio's t/io_uring, built from its source")
    parser.add_argument("--ablation", action="store_true", help="leave out one feature at a time")
    args = parser.parse_args()

    runs = {"diskaudit io_uring": lambda: diskaudit(args)}
    if args.ablation:
        for feature in FEATURES:
            runs["without " + feature] = lambda f=feature: diskaudit(args, without=[f])
        runs["without any"] = lambda: diskaudit(args, without=FEATURES)
        runs["libaio instead"] = lambda: diskaudit(args, engine="libaio")
    else:
        if args.t_io_uring:
            runs["t/io_uring"] = lambda: t_io_uring(args, 32)
            runs["t/io_uring, batches as ours"] = lambda: t_io_uring(args, args.depth // 8)
        runs["fio io_uring"] = lambda: fio(args, "--ioengine=io_uring")
        runs["fio io_uring, tuned"] = lambda: fio(
            args, "--ioengine=io_uring", "--fixedbufs", "--registerfiles", "--gtod_reduce=1",
            "--iodepth_batch_submit=32", "--iodepth_batch_complete_min=8",
            "--iodepth_batch_complete_max=32")
        runs["fio libaio"] = lambda: fio(args, "--ioengine=libaio")
        runs["diskaudit libaio"] = lambda: diskaudit(args, engine="libaio")
    results = {name: [] for name in runs}
    for turn in range(args.rounds):
        # Nobody always comes first.
        for name in (list(runs) if turn % 2 == 0 else reversed(runs)):
            results[name].append(runs[name]())
    diskaudit(args)
    print(f"{args.target}, 4 KiB random read, depth {args.depth}, one thread, median of "
          f"{args.rounds} x {args.seconds} s; in force: {diskaudit.features}")
    table(runs, results, "diskaudit io_uring")


if __name__ == "__main__":
    main()
