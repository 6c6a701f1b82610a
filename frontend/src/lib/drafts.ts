import { placeOf } from '../../../backend/platform/event-store/personal-names.api.js';
import type { Owner } from './owner.js';

/*
 * Drafts: input that was not sent is restored for the same user for a day (`drafts.ts`). What may be stored on the device is
 * stored there; contact data and descriptions of a person only while the window is open; CPF and passwords never.
 */

const PREFIX = 'rende.draft.';
const MOST_AGE_MS = 24 * 60 * 60_000;

interface Draft {
  /** Milliseconds. */
  at: number;
  values: object;
}

/** Part of the browser's `Storage`. */
export type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface Tools {
  /** Storage until a draft expires, and storage for as long as the window is open. */
  device: Place;
  window: Place;
  owner: () => Owner | null;
  now: () => number;
}

const only = (values: object, wanted: (field: string) => boolean) =>
  Object.fromEntries(Object.entries(values).filter(([field]) => wanted(field)));

/** Unsent form values, by user and place, for a day. */
export class Drafts {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** The current user's draft of the form with this name. */
  read(name: string): object {
    const key = this.#key(name);
    if (!key) return {};
    const { device, window } = this.#tools;
    return { ...this.#stored(device, key), ...this.#stored(window, key) };
  }

  /** Empty values delete the draft. */
  write(name: string, values: object): void {
    const key = this.#key(name);
    if (!key) return;
    const { device, window } = this.#tools;
    this.#store(
      device,
      key,
      only(values, (field) => placeOf(field) === 'device'),
    );
    this.#store(
      window,
      key,
      only(values, (field) => placeOf(field) === 'window'),
    );
  }

  /** Deletes expired drafts and those of other users; all of them without a user. */
  tidy(userId: string | null): void {
    for (const place of [this.#tools.device, this.#tools.window]) {
      for (const key of Object.keys(place).filter((name) => name.startsWith(PREFIX))) {
        const isMine = userId !== null && key.startsWith(`${PREFIX}${userId}.`);
        if (!isMine || Object.keys(this.#stored(place, key)).length === 0) place.removeItem(key);
      }
    }
  }

  #key(name: string): string | null {
    const mine = this.#tools.owner();
    return mine && `${PREFIX}${mine.userId}.${mine.studentId ?? mine.tenantId}.${name}`;
  }

  #stored(place: Place, key: string): object {
    try {
      const draft = JSON.parse(place.getItem(key) ?? 'null') as Draft | null;
      return draft && this.#tools.now() - draft.at < MOST_AGE_MS ? draft.values : {};
    } catch {
      return {};
    }
  }

  #store(place: Place, key: string, values: object): void {
    try {
      if (Object.keys(values).length === 0) place.removeItem(key);
      else place.setItem(key, JSON.stringify({ at: this.#tools.now(), values } satisfies Draft));
    } catch {
      // The storage is full: no draft is stored, not an older one either, and the form still works.
      place.removeItem(key);
    }
  }
}
