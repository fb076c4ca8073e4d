#!/bin/sh
# by_gcc COMMAND…: a command of Clang, done by g++: what comes after -Xclang is left out. A compiler launcher of CMake.
count=$#
while [ "$count" -gt 0 ]; do
  argument=$1
  shift
  count=$((count - 1))
  case $argument in
    */clang++ | */clang++-[0-9]*) set -- "$@" g++ ;;
    -Xclang) shift; count=$((count - 1)) ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec "$@"
