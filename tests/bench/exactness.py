#!/usr/bin/env python3
"""How far the measured rate is off what a scripted disk served, for the engine and for fio.

exactness.py SCRIPTED_DISK ENGINE_BENCH [--seconds 30] [--rows N...]

For each row a fresh disk; first diskaudit's engine, then fio with the same job. Rows with a limit
cgroup_... are the other test bed: a disk without limits behind a loop device that the kernel
throttles for the cgroup in which both programs run. The truth is the disk's own log: for the engine
in exactly its window, for fio in as many seconds as it ran, from its first request on, which is as
exactly as fio says when it measured.
"""
import argparse
import json
import re
import struct
import subprocess
import sys

# limit, direction, pattern, block size, depth
GRID = [
    ("read_iops=300", "read", "random", 4096, 64),
    ("write_iops=300", "write", "random", 4096, 64),
    ("read_iops=2600", "read", "random", 4096, 128),
    ("write_iops=2600", "write", "random", 4096, 128),
    ("read_iops=10000", "read", "random", 4096, 128),
    ("read_iops=50000", "read", "random", 4096, 128),
    ("write_iops=50000", "write", "random", 4096, 128),
    ("read_bytes=115MB/s", "read", "sequential", 262144, 64),
    ("write_bytes=115MB/s", "write", "sequential", 262144, 64),
    ("read_bytes=1000MB/s", "read", "sequential", 262144, 64),
    ("cgroup_read_iops=300", "read", "random", 4096, 64),
    ("cgroup_write_iops=2600", "write", "random", 4096, 128),
    ("cgroup_read_iops=10000", "read", "random", 4096, 128),
    ("cgroup_read_iops=30000", "read", "random", 4096, 128),
    ("cgroup_read_bytes=115MB/s", "read", "sequential", 262144, 64),
    ("cgroup_write_bytes=115MB/s", "write", "sequential", 262144, 64),
]
HEADER, ENTRY = 4096, struct.Struct("<qqQIBBH")


def entries(path, skip=0):
    """(arrival, completion, bytes) of every answer in the log after the first `skip`."""
    with open(path, "rb") as log:
        count = struct.unpack_from("<Q", log.read(64), 8)[0]
        log.seek(HEADER + skip * ENTRY.size)
        data = log.read((count - skip) * ENTRY.size)
    return [(e[1], e[0], e[3]) for e in ENTRY.iter_unpack(data) if e[5] == 0]


def served(log, begin, end):
    return sum(size for _, completion, size in log if begin <= completion < end)


def run(command, disk):
    """Standard output of a program that runs in the disk's cgroup, where it has one."""
    def join():
        if disk["cgroup"]:
            with open(disk["cgroup"] + "/cgroup.procs", "w") as members:
                members.write("0")
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=join)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout


def engine_error(args, disk, row):
    _, direction, pattern, size, depth = row
    out = run([args.engine_bench, disk["device"], direction, pattern, str(size), str(depth), "1",
               str(args.seconds)], disk)
    number = {key: float(value) for key, value in re.findall(r"(\w+) ([\d.]+)", out)}
    begin, end = (int(re.search(key + r" (\d+)", out).group(1)) for key in ("begin_ns", "end_ns"))
    truth = served(entries(disk["log"]), begin, end)
    return number["iops"], number["bytes"] / truth - 1


def fio_error(args, disk, row):
    _, direction, pattern, size, depth = row
    before = len(entries(disk["log"]))
    out = run(["fio", "--name=x", f"--filename={disk['device']}", "--direct=1",
               "--ioengine=io_uring", "--norandommap",
               f"--rw={'rand' if pattern == 'random' else ''}{direction}", f"--bs={size}",
               f"--iodepth={depth}", "--time_based", f"--runtime={args.seconds}",
               "--output-format=json"], disk)
    job = json.loads(out[out.index("{"):])["jobs"][0][direction]
    log = entries(disk["log"], before)
    begin = min(arrival for arrival, _, _ in log)
    truth = served(log, begin, begin + args.seconds * 10**9) / args.seconds
    return job["bw_bytes"] / truth - 1


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scripted_disk")
    parser.add_argument("engine_bench")
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--rows", type=int, nargs="*", help="of the grid, from 0")
    args = parser.parse_args()
    print(f"{'disk':28}{'':26}{'measured IOPS':>14}{'off by':>9}{'fio off by':>12}")
    for index, row in enumerate(GRID):
        if args.rows and index not in args.rows:
            continue
        disk_process = subprocess.Popen([args.scripted_disk, "size=512MiB", row[0]],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            disk = json.loads(disk_process.stdout.readline())
            iops, off = engine_error(args, disk, row)
            fio_off = fio_error(args, disk, row)
        finally:
            disk_process.stdin.close()
            disk_process.wait()
        print(f"{row[0]:28}{row[2]:>11} {row[1]:>5} {row[3] // 1024:>4} KiB {iops:13.0f}"
              f"{100 * off:+8.3f}%{100 * fio_off:+11.3f}%", flush=True)


if __name__ == "__main__":
    main()
