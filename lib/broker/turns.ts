/** Who is next when several take turns: goes round, passes over those who cannot now, and never back to the start. */
export class Turns<Member> {
  #members: Member[] = [];
  #at = 0;

  get members(): readonly Member[] {
    return this.#members;
  }

  add(member: Member): void {
    this.#members.push(member);
  }

  /** Drops those that `stays` refuses; whose turn it is among the others stays as it is. */
  keep(stays: (member: Member) => boolean): void {
    this.#at = this.#members.slice(0, this.#at).filter(stays).length;
    this.#members = this.#members.filter(stays);
  }

  /** The next one that can, or null; after it comes the one behind it. */
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
