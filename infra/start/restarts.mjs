export const MAX_RESTARTS = 5;
export const RESTART_WINDOW_MINUTES = 10;

/** Limits how often a server that ends by itself is started again. */
export class Restarts {
  #times = [];

  /**
   * Records a restart.
   * @param now in milliseconds
   * @returns the number of restarts within the window, including this one; null if there were already too many
   */
  next(now) {
    this.#times = this.#times.filter((at) => now - at < RESTART_WINDOW_MINUTES * 60_000);
    if (this.#times.length >= MAX_RESTARTS) return null;
    return this.#times.push(now);
  }
}
