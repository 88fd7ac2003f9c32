#!/bin/sh
# Stops a script of npm with a clear message where its Node cannot start at all, before the loader says so in its own
# words; then require-node.cjs sees whether it is new enough. Run by npm before start, test and more.

if said=$(node --version 2>&1); then exec node "$(dirname "$0")/require-node.cjs"; fi
case $said in
*libatomic.so.1*)
  echo 'The Node that npm ci brings needs libatomic, which is not installed here: apt-get install libatomic1' \
    '(on Fedora and its kin: dnf install libatomic). The one-file binary does without.' >&2
  ;;
*) echo "Node does not start here: $said" >&2 ;;
esac
exit 1
