import type { Owner } from './owner.js';

const PREFIX = 'rende.draft.';
const MOST_AGE_MS = 24 * 60 * 60_000;

/** What never stays on a device. */
const SECRET = new Set(['cpf', 'password', 'confirmation']);
/** What reaches or describes a person, or an income: it stays while the window is open, and not on the device. */
const PRIVATE = new Set([
  ...['telefone', 'whatsapp', 'email', 'observacoes', 'motivo', 'justificativa'],
  ...['cep', 'endereco', 'respostas'],
]);

interface Draft {
  /** Milliseconds. */
  at: number;
  values: object;
}

/** Part of the browser's `Storage`. */
export type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface Tools {
  /** What is kept until it expires, and what is kept while the window is open. */
  device: Place;
  window: Place;
  owner: () => Owner | null;
  now: () => number;
}

const only = (values: object, wanted: (field: string) => boolean) =>
  Object.fromEntries(Object.entries(values).filter(([field]) => wanted(field) && !SECRET.has(field)));

/** What people have typed into forms and not sent: each finds their own again, for a day. */
export class Drafts {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** What the person who is here has typed into the form of this name. */
  read(name: string): object {
    const key = this.#key(name);
    if (!key) return {};
    const { device, window } = this.#tools;
    return { ...this.#stored(device, key), ...this.#stored(window, key) };
  }

  /** Nothing typed is no draft. */
  write(name: string, values: object): void {
    const key = this.#key(name);
    if (!key) return;
    const { device, window } = this.#tools;
    this.#store(
      device,
      key,
      only(values, (field) => !PRIVATE.has(field)),
    );
    this.#store(
      window,
      key,
      only(values, (field) => PRIVATE.has(field)),
    );
  }

  /** Forgets what is out of date and what others typed; everything where nobody is named. */
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
    return mine && `${PREFIX}${mine.userId}.${mine.tenantId}.${name}`;
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
      // A full device keeps no draft; the form works all the same.
    }
  }
}
