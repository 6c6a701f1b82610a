/** Reproducible random numbers: the same seed gives the same data. */
export class Chance {
  #state;

  constructor(seed) {
    this.#state = seed;
  }

  /** At least 0, less than 1 (mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Whole number from `low` to `high`, both included. */
  whole(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  happens(share) {
    return this.next() < share;
  }

  of(list) {
    return list[Math.floor(this.next() * list.length)];
  }

  /** A random value of `{ value: weight }`. */
  weighted(weights) {
    const entries = Object.entries(weights);
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of entries) {
      left -= weight;
      if (left < 0) return value;
    }
    return entries.at(-1)[0];
  }

  shuffled(list) {
    const mixed = [...list];
    for (let last = mixed.length - 1; last > 0; last -= 1) {
      const other = this.whole(0, last);
      [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
    }
    return mixed;
  }
}
