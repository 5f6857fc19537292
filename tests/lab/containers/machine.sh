#!/bin/sh
# machine.sh LAB ENGINE FOLDER NAMESERVER COMMAND…: what a machine of the lab does when it is switched on. It is the
# first process of new mount and pid namespaces, in the machine's network namespace: a root file system of its own over
# the engine's, everything below LAB at the same path, then COMMAND in place of itself.
set -e
lab=$1 engine=$2 folder=$3 nameserver=$4
shift 4
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$engine,upperdir=$folder/up,workdir=$folder/work" "$folder/root"
cd "$folder/root"
mount -t proc proc proc
mount --rbind /dev dev
# A sysfs of its own shows the interfaces of this network namespace; the groups of processes are the host's.
mount -t sysfs sysfs sys
mount --rbind /sys/fs/cgroup sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mkdir -p var/lib/docker var/lib/containers ".$lab" .old
mount --bind "$folder/docker" var/lib/docker
mount --bind "$folder/containers" var/lib/containers
mount --bind "$lab" ".$lab"
rm -f etc/resolv.conf
if [ "$nameserver" = host ]; then cat /etc/resolv.conf; else echo "nameserver $nameserver"; fi >etc/resolv.conf
echo "127.0.0.1 localhost" >etc/hosts
# Where builds fetch from may have a certificate that this host trusts.
cat /etc/ssl/certs/ca-certificates.crt >etc/ssl/certs/ca-certificates.crt
# Not chroot: what an engine starts inside of a container later would be in the wrong root.
pivot_root . .old
umount -l /.old
sysctl --quiet --system
exec "$@"
