#!/bin/sh
# Who vouches for a report, and that not a byte of it has changed since: signatures of OpenSSH.
#
#   sh sign.sh KEY FILE...                      writes FILE.sig beside each FILE
#   sh sign.sh --check SIGNERS WHO FILE...      SIGNERS has lines "WHO ssh-ed25519 AAAA…"
#
# Sign a record, or SHA256SUMS of a bundle: it stands for all other files.
set -eu

if [ "${1:-}" = --check ] && [ $# -ge 4 ]; then
  signers=$2
  who=$3
  shift 3
  for file in "$@"; do
    ssh-keygen -Y verify -n diskaudit-report -f "$signers" -I "$who" -s "$file.sig" <"$file"
  done
elif [ $# -ge 2 ]; then
  key=$1
  shift
  ssh-keygen -Y sign -n diskaudit-report -f "$key" "$@"
else
  sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
