/**
 * Concurrent callers with the same key share one query, but only one that began after their call: a call during a running query
 * waits for the next one, so that no caller gets a result from before its call.
 */
export class SharedLookUps<Result> {
  private readonly running = new Map<
    string,
    { next: Promise<Result> | undefined; current: Promise<unknown> }
  >();

  run(key: string, lookUp: () => Promise<Result>): Promise<Result> {
    const running = this.running.get(key);
    if (!running) return this.begin(key, lookUp);
    const begin = (): Promise<Result> => this.begin(key, lookUp);
    running.next ??= running.current.then(begin, begin);
    return running.next;
  }

  private begin(key: string, lookUp: () => Promise<Result>): Promise<Result> {
    const current = lookUp();
    const entry = { current, next: undefined };
    this.running.set(key, entry);
    const forget = (): void => {
      if (this.running.get(key) === entry && entry.next === undefined) this.running.delete(key);
    };
    current.then(forget, forget);
    return current;
  }
}
