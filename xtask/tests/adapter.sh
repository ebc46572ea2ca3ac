#!/bin/sh
# Plays an engine that is measured: speaks the protocol of docs/benchmarks.md with figures that are made up.
# sh adapter.sh ROLE build|serve|first SESSIONS CACHE [QUERY]
set -eu
role=$1 order=$2 sessions=$3 cache=$4

case $role in
quick) build='"wall_ms":100,"cpu_ms":90,"peak_mib":10' open=2 sync=3 query=0.5 ;;
*) build='"wall_ms":200,"cpu_ms":190,"peak_mib":20' open=4 sync=6 query=1 ;;
esac

case $order in
build)
    [ "$role" != fail ]
    if [ "$role" = babble ]; then echo hello; exit; fi
    # An index from nothing: what was there before would be a mistake of whoever measures.
    mkdir "$cache"
    ls "$sessions" >"$cache/index"
    echo "{\"engine\":\"$role\",$build}"
    ;;
serve)
    [ -f "$cache/index" ]
    echo "{\"open_ms\":$open}"
    while read -r request rest; do
        case $role-$request in
        die-*) exit ;;
        blind-sync) echo '{"ms":1,"changed":0}' ;;
        *-sync) echo "{\"ms\":$sync}" ;;
        *-query) echo "{\"ms\":$query,\"hits\":${rest%% *}}" ;;
        slow-walk) echo '{"ms":4}' ;;
        slow-memory) echo '{"peak_mib":16}' ;;
        *) echo "{\"unsupported\":\"$request\"}" ;;
        esac
    done
    ;;
first)
    [ -f "$cache/index" ]
    echo "ten hits for $5"
    ;;
esac
