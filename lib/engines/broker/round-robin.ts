/** Round-robin over members: skips those that cannot go now, and continues after the last one served. */
export class RoundRobin<Member> {
  #members: Member[] = [];
  #at = 0;

  get members(): readonly Member[] {
    return this.#members;
  }

  add(member: Member): void {
    this.#members.push(member);
  }

  /** Removes members that `stays` refuses; the order of the others is unchanged. */
  keep(stays: (member: Member) => boolean): void {
    this.#at = this.#members.slice(0, this.#at).filter(stays).length;
    this.#members = this.#members.filter(stays);
  }

  /** The next member that can go, or null. */
  next(can: (member: Member) => boolean): Member | null {
    const count = this.#members.length;
    for (let step = 0; step < count; step++) {
      const index = (this.#at + step) % count;
      const member = this.#members[index];
      if (member !== undefined && can(member)) {
        this.#at = (index + 1) % count;
        return member;
      }
    }
    return null;
  }
}
