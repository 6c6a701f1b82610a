// What the visitors' pages have in common: sends what was typed, and says on the page how that went.

import { store, stored } from './stored.js';

interface Free {
  inicio: string;
}

export interface Answer {
  status: number;
  /** Seconds. */
  retryAfter: number;
  body: {
    token?: string;
    inicio?: string;
    code?: string;
    title?: string;
    detail?: string;
    errors?: { pointer: string; detail: string }[];
    livres?: Free[];
    /** Where to write to the trainer instead. */
    contato?: string | null;
    pagina?: string;
    confirmado?: boolean;
    desafio?: { algorithm: string; challenge: string; maxnumber?: number; salt: string; signature: string };
  };
}

const saidAt = () => document.getElementById('said');

/** Idempotency-Keys by request: a retry after a lost answer repeats the key. */
const keys = new Map<string, string>();
function keyOf(intention: string): string {
  const known = keys.get(intention);
  if (known) return known;
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)));
  const key = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  keys.set(intention, key);
  return key;
}

const intentionOf = (path: string, body: object, repeated = 0) => `${path}${JSON.stringify(body)}${repeated}`;

const PATIENCE_MS = 20_000;

/** What was sent and not answered, for a page that is loaded again. */
const UNANSWERED = 'rende.unanswered';
/** After this time nobody waits for the answer any more. */
const RECENT_MS = 600_000;

interface Unanswered<Body> {
  path: string;
  body: Body;
  key: string;
  /** By this device's clock, which only measures how long ago it was. */
  at: number;
}

/** The request that was sent to this path and has no answer: sent again, it gets the answer of the first. */
export function unanswered<Body extends object>(path: string): Body | null {
  const left = stored<Unanswered<Body> | null>('sessionStorage', UNANSWERED, null);
  if (left?.path !== path || Math.abs(Date.now() - left.at) > RECENT_MS) return null;
  keys.set(intentionOf(path, left.body), left.key);
  return left.body;
}

/** Sends what `unanswered` then finds until it is answered. Null without an answer. */
export async function postKept(path: string, body: object): Promise<Answer | null> {
  const key = keyOf(intentionOf(path, body));
  const isRepeated = stored<Unanswered<object> | null>('sessionStorage', UNANSWERED, null)?.key === key;
  store('sessionStorage', UNANSWERED, { path, body, key, at: Date.now() });
  const answer = await post(path, body);
  // That too many were sent does not say whether the first arrived.
  const isOpen = !answer || answer.status >= 500 || (answer.status === 429 && isRepeated);
  if (!isOpen) store('sessionStorage', UNANSWERED, null);
  return answer;
}

/** Null without an answer. `repeated`: how often the same was asked for before, on purpose. */
export async function post(path: string, body: object, repeated = 0): Promise<Answer | null> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), PATIENCE_MS);
  try {
    const response = await fetch(`/api/v1/${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': keyOf(intentionOf(path, body, repeated)),
      },
      body: JSON.stringify(body),
      signal: abort.signal,
    });
    const answer = (await response.json()) as Answer['body'];
    return { status: response.status, retryAfter: Number(response.headers.get('Retry-After')), body: answer };
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

export function say(text: string, ...more: Node[]): void {
  const said = saidAt();
  if (!said) return;
  said.textContent = text;
  said.append(...more);
  said.scrollIntoView({ block: 'center' });
}

export function unsay(): void {
  const said = saidAt();
  if (said) said.textContent = '';
}

/** Shows an error at a field. */
function mark(form: HTMLFormElement, name: string, message: string): HTMLElement | null {
  // Of times in groups, one of the day that is shown.
  const fields = Array.from(form.querySelectorAll<HTMLInputElement>(`[name="${name}"]`));
  const field = fields.find((each) => !each.closest('[hidden]'));
  const group = field?.closest('fieldset');
  const place = group ?? field?.closest('label');
  if (!field || !place) return null;
  const note = document.createElement('span');
  note.className = 'wrong';
  note.id = `wrong-${name}`;
  note.textContent = message;
  if (group) place.append(note);
  // If the field shares a row, below the row: inside, the message would take the width of the fields.
  else (place.closest('.pair') ?? place).after(note);
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', note.id);
  return field;
}

/** Removes the error of each field, or of the fields with this name. */
function unmark(form: HTMLFormElement, name?: string): void {
  for (const field of Array.from(form.querySelectorAll<HTMLInputElement>('[aria-invalid]'))) {
    if (name !== undefined && field.name !== name) continue;
    form.querySelector(`[id="wrong-${field.name}"]`)?.remove();
    for (const attribute of ['aria-invalid', 'aria-describedby']) field.removeAttribute(attribute);
  }
}

/** Shows that it was done in the place of its form. */
export function showDone(form: HTMLFormElement): void {
  form.remove();
  const done = document.getElementById('done')!;
  done.hidden = false;
  done.focus();
}

/** Focuses the first field of the form with an error. Returns false if no error belongs to a field. */
export function showErrors(
  form: HTMLFormElement,
  errors: readonly { pointer: string; detail: string }[],
): boolean {
  const fields = errors.map(({ pointer, detail }) => mark(form, pointer.slice(1), detail)).filter(Boolean);
  form.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  return fields.length > 0;
}

export function tooMany(retryAfter: number): string {
  const minutes = Math.ceil(retryAfter / 60);
  return `Muitas tentativas. Tente de novo em ${minutes > 1 ? `${minutes} minutos` : 'um minuto'}.`;
}

/** Explains a failure other than a taken time; `failed` names the failed action, for answers that do not. */
function explain(form: HTMLFormElement, answer: Answer | null, failed: string): void {
  if (!answer) {
    const kept = form.querySelector('[name="nome"]') ? 'O que você digitou continua aqui: tente' : 'Tente';
    return say(`Sem conexão com o servidor. ${kept} de novo.`);
  }
  const { status, retryAfter, body } = answer;
  if (body.errors && showErrors(form, body.errors)) return;
  if (body.code === 'public.paused') return sayPaused(body);
  if (status === 429 && body.code === 'rate_limited') say(tooMany(retryAfter));
  else say([body.title, body.detail].filter(Boolean).join('. ') || `${failed}. Tente de novo.`);
}

/** The page was switched off since it was opened. */
function sayPaused({ title = '', detail = title, contato }: Answer['body']): void {
  if (!contato) return say(`${detail}.`);
  const link = document.createElement('a');
  link.href = contato;
  link.rel = 'noopener noreferrer';
  link.textContent = 'Falar no WhatsApp';
  say(`${detail}. `, link);
}

interface Sending {
  /** Label of the button during the request. */
  busy: string;
  /** The message for a failure that neither an answer nor the connection explains. */
  failed: string;
}

/**
 * Sends only once at a time, and shows on the button that it does. The button is disabled in the HTML, because it does
 * nothing until this script runs.
 */
export function onSend(
  form: HTMLFormElement,
  words: Sending,
  send: (fail: (answer: Answer | null) => void) => Promise<void>,
): void {
  const button = form.querySelector<HTMLButtonElement>('button[type="submit"]');
  if (!button) return;
  button.disabled = false;
  form.addEventListener('input', ({ target }) => unmark(form, (target as HTMLInputElement).name));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    sendBy(form, button, words, send);
  });
}

export function sendBy(
  form: HTMLFormElement,
  button: HTMLButtonElement,
  { busy, failed }: Sending,
  send: (fail: (answer: Answer | null) => void) => Promise<void>,
): void {
  if (form.querySelector('[aria-disabled="true"]')) return;
  unmark(form);
  unsay();
  const text = button.textContent;
  button.setAttribute('aria-disabled', 'true');
  button.textContent = busy;
  void send((answer) => explain(form, answer, failed))
    .catch(() => say(`${failed}. Tente de novo.`))
    .finally(() => {
      button.removeAttribute('aria-disabled');
      // Unless it is for something else now.
      if (button.textContent === busy) button.textContent = text;
    });
}
