import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ExpectedError } from '../start/expected-error.mjs';

const IN_FLIGHT = 16;
const TRIES = 5;
/** So that what is recorded says on which device. */
const DEVICE =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

/** Client of a running instance's public HTTP API. */
export class Api {
  /** Requests answered so far. */
  answered = 0;
  /** Access token of the user who signed up. */
  token;
  #address;
  /** Of the newest write: reads wait for it, because what they answer decides what is written next. */
  #position = 0;
  #running = 0;
  #waiting = [];

  constructor(address) {
    this.#address = address.replace(/\/+$/, '');
  }

  /** Signs up a new user, as whom all later requests are sent. */
  async signUp(account) {
    const response = await this.#send('/auth/v1/signup', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-supabase-api-version': '2024-01-01',
        'user-agent': DEVICE,
      },
      body: JSON.stringify(account),
    });
    this.token = response.access_token;
  }

  /** A write under `/api/v1`, with an idempotency key, so that retries do nothing twice. */
  write(method, path, body) {
    return this.#inTurn(() =>
      this.#send(`/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          'idempotency-key': randomUUID(),
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
      }),
    );
  }

  /** A read under `/api/v1`. */
  read(path) {
    const headers = {
      authorization: `Bearer ${this.token}`,
      ...(this.#position > 0 && { 'rende-after': String(this.#position) }),
    };
    return this.#inTurn(() => this.#send(`/api/v1${path}`, { headers }));
  }

  async #inTurn(send) {
    if (this.#running === IN_FLIGHT) await new Promise((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await send();
    } finally {
      this.answered += 1;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  async #send(path, request, tries = TRIES) {
    let response;
    try {
      response = await fetch(this.#address + path, request);
    } catch (error) {
      if (this.answered > 0 && tries > 1) return this.#again(path, request, tries, 500);
      throw new ExpectedError(
        `não há Rende em ${this.#address} (${error.cause?.code ?? error.message}). Rode npm start em outro terminal, ou informe o endereço em RENDE_URL.`,
      );
    }
    const text = await response.text();
    this.#position = Math.max(this.#position, Number(response.headers.get('rende-position')));
    if (response.ok) return text ? JSON.parse(text) : undefined;
    const isBusy = response.status === 429 || response.status === 503;
    if (isBusy && tries > 1) {
      return this.#again(path, request, tries, Number(response.headers.get('retry-after') ?? 1) * 1000);
    }
    const refused = new ExpectedError(
      `${request.method} ${path} foi recusado (${response.status}): ${text.slice(0, 500)}`,
    );
    throw Object.assign(refused, { problem: asProblem(text) });
  }

  async #again(path, request, tries, after) {
    await delay(after);
    return this.#send(path, request, tries - 1);
  }
}

/** The problem details of a refusal; undefined if the text is not JSON. */
function asProblem(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
