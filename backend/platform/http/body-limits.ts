import type { FastifyInstance } from 'fastify';

/** Default body limit of a route, in bytes. */
export const BODY_LIMIT = 64 * 1024;
/** Body limit under `/auth/v1`, in bytes: anonymous callers send an address, a password, form fields or a provider's token. */
const AUTH_BODY_LIMIT = 16 * 1024;

/** Most keys and elements in one body: ten times what the largest form sends. */
const MAX_VALUES = 1_000;
const MAX_DEPTH = 32;
/** Of a mail, in bytes: what a report is about stands at its beginning, before the mail that came back. */
const BEGINNING = 256 * 1024;

const [QUOTE, BACKSLASH, COMMA, AMPERSAND] = [...Buffer.from('"\\,&')];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [...Buffer.from('{}[]')];

/** Sets each route's body limit; call it before the first route registers. */
export function limitBodies(instance: FastifyInstance): void {
  instance.addHook('onRoute', (options) => {
    const usual = options.url.startsWith('/auth/v1/') ? AUTH_BODY_LIMIT : BODY_LIMIT;
    options.bodyLimit = options.config?.route?.bodyLimit ?? usual;
  });
}

/**
 * The beginning of a body of any length. The rest is let pass, because whoever hands over a mail tries again for days where one is
 * refused.
 */
export async function beginningOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    if (size < BEGINNING) parts.push(part);
    size += part.length;
  }
  return Buffer.concat(parts).subarray(0, BEGINNING);
}

/**
 * Which limit a JSON text exceeds, or undefined. Scans the bytes once and stops at the first value or level over the bound,
 * so that refusing a large text costs no more than a small one. It does not check the syntax: the parser does.
 */
export function excessOf(json: Uint8Array, maxValues = MAX_VALUES): 'levels' | 'values' | undefined {
  let values = 1;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) {
      values += 1;
      if (values > maxValues) return 'values';
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth > MAX_DEPTH) return 'levels';
      values += 1;
      if (values > maxValues) return 'values';
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
  }
  return undefined;
}

/** Whether a form has too many fields; stops at the first one over the bound. */
export function hasExcessFields(form: Uint8Array): boolean {
  let fields = 1;
  for (let at = form.indexOf(AMPERSAND!); at >= 0; at = form.indexOf(AMPERSAND!, at + 1)) {
    fields += 1;
    if (fields > MAX_VALUES) return true;
  }
  return false;
}
