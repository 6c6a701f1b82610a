// Script of the visitors' pages: sends what was typed. All content comes from the server, with times in the trainer's
// time zone; this device's clock is not used.
import './booking.css';
import { solveChallenge } from 'altcha-lib/v1';
import { edited, maskPhone } from '../src/lib/masks.js';

interface Free {
  inicio: string;
}

interface Answer {
  status: number;
  /** Seconds. */
  retryAfter: number;
  body: {
    token?: string;
    code?: string;
    title?: string;
    detail?: string;
    errors?: { pointer: string; detail: string }[];
    livres?: Free[];
    desafio?: { algorithm: string; challenge: string; maxnumber?: number; salt: string; signature: string };
  };
}

const said = document.getElementById('said');

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

const PATIENCE_MS = 20_000;

/** Null without an answer. */
async function post(path: string, body: object): Promise<Answer | null> {
  const text = JSON.stringify(body);
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), PATIENCE_MS);
  try {
    const response = await fetch(`/api/v1/public/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': keyOf(path + text) },
      body: text,
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

function say(text: string, ...more: Node[]): void {
  if (!said) return;
  said.textContent = text;
  said.append(...more);
  said.scrollIntoView({ block: 'center' });
}

/** Shows an error at a field. */
function mark(form: HTMLFormElement, name: string, message: string): HTMLElement | null {
  const field = form.querySelector<HTMLInputElement>(`[name="${name}"]`);
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
    form.querySelector(`#wrong-${field.name}`)?.remove();
    for (const attribute of ['aria-invalid', 'aria-describedby']) field.removeAttribute(attribute);
  }
}

/** Focuses the first field with an error. Returns false if no error belongs to a field. */
function showErrors(form: HTMLFormElement, errors: readonly { pointer: string; detail: string }[]): boolean {
  const fields = errors.map(({ pointer, detail }) => mark(form, pointer.slice(1), detail)).filter(Boolean);
  if (fields[0]) fields[0].focus();
  return fields.length > 0;
}

const inZone = (zone: string, at: string): string => {
  const day = { weekday: 'short', day: 'numeric', month: 'short', timeZone: zone } as const;
  const date = new Date(at);
  const clock = date.toLocaleTimeString('pt-BR', { hour: 'numeric', minute: '2-digit', timeZone: zone });
  return `${date.toLocaleDateString('pt-BR', day)}, ${clock.replace(/^0(?=\d)/, '')}`;
};

/** Removes a time that is taken, and shows the nearest free ones in its place. */
function offerOthers(
  form: HTMLFormElement,
  zone: string,
  inicio: string,
  { title, livres = [] }: Answer['body'],
): void {
  const gone = form.querySelector<HTMLInputElement>(`input[value="${inicio}"]`);
  if (gone) {
    gone.checked = false;
    gone.disabled = true;
    form.dispatchEvent(new Event('change'));
  }
  const ways = document.createElement('span');
  ways.className = 'ways-out';
  for (const free of livres) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'chip';
    button.textContent = inZone(zone, free.inicio);
    button.addEventListener('click', () => choose(form, zone, free.inicio));
    ways.append(button);
  }
  const rest =
    livres.length > 0 ? '. Os horários livres mais próximos:' : '. Não há outro horário livre nestes dias.';
  say(`${title ?? ''}${rest}`, ways);
}

/** The time need not be in the page's list. */
function choose(form: HTMLFormElement, zone: string, inicio: string): void {
  let input = form.querySelector<HTMLInputElement>(`input[value="${inicio}"]`);
  if (!input) {
    const label = document.createElement('label');
    label.className = 'slot wide';
    input = document.createElement('input');
    input.type = 'radio';
    input.name = 'inicio';
    input.value = inicio;
    const text = document.createElement('span');
    text.textContent = inZone(zone, inicio);
    label.append(input, text);
    const days = form.querySelector('.days');
    if (days) days.append(label);
  }
  input.disabled = false;
  input.checked = true;
  if (said) said.textContent = '';
  form.dispatchEvent(new Event('change'));
}

const chosenIn = (form: HTMLFormElement) =>
  form.querySelector<HTMLInputElement>('input[name="inicio"]:checked')?.value ?? null;

/** Explains a failure other than a taken time; `failed` names the failed action, for answers that do not. */
function explain(form: HTMLFormElement, answer: Answer | null, failed: string): void {
  if (!answer) {
    const kept = form.querySelector('[name="nome"]') ? 'O que você digitou continua aqui: tente' : 'Tente';
    return say(`Sem conexão com o servidor. ${kept} de novo.`);
  }
  const { status, retryAfter, body } = answer;
  if (body.errors && showErrors(form, body.errors)) return;
  if (status === 429 && body.code === 'rate_limited') {
    const minutes = Math.ceil(retryAfter / 60);
    say(`Muitas tentativas. Tente de novo em ${minutes > 1 ? `${minutes} minutos` : 'um minuto'}.`);
  } else say([body.title, body.detail].filter(Boolean).join('. ') || `${failed}. Tente de novo.`);
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
function onSend(
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

function sendBy(
  form: HTMLFormElement,
  button: HTMLButtonElement,
  { busy, failed }: Sending,
  send: (fail: (answer: Answer | null) => void) => Promise<void>,
): void {
  if (form.querySelector('[aria-disabled="true"]')) return;
  unmark(form);
  if (said) said.textContent = '';
  const text = button.textContent;
  button.setAttribute('aria-disabled', 'true');
  button.textContent = busy;
  void send((answer) => explain(form, answer, failed))
    .catch(() => say(`${failed}. Tente de novo.`))
    .finally(() => {
      button.removeAttribute('aria-disabled');
      button.textContent = text;
    });
}

/** Solves the challenge that the server sends while a page gets too many bookings. */
async function workOut(challenge: NonNullable<Answer['body']['desafio']>): Promise<string | null> {
  const { algorithm, challenge: wanted, salt, signature, maxnumber } = challenge;
  const solution = await solveChallenge(wanted, salt, algorithm, maxnumber).promise;
  return (
    solution &&
    btoa(JSON.stringify({ algorithm, challenge: wanted, number: solution.number, salt, signature }))
  );
}

/** Formats as (11) 91234-5678, also a number pasted with +55 or a leading zero. */
function maskWhatsapp(field: HTMLInputElement): void {
  let shown = field.value;
  field.addEventListener('input', (event) => {
    const { value: text, selectionStart } = field;
    const forward = event.inputType === 'deleteContentForward';
    const edit = edited(maskPhone, shown, { text, cursor: selectionStart ?? text.length }, forward);
    shown = edit.text;
    field.value = shown;
    // The browser may have filled it in while another field has the focus.
    if (document.activeElement === field) field.setSelectionRange(edit.cursor, edit.cursor);
  });
}

const fieldIn = (form: HTMLFormElement, name: string) =>
  form.querySelector<HTMLInputElement>(`input[name="${name}"]`)!;

interface Missing {
  pointer: string;
  detail: string;
}

/** Required fields that are empty. */
function missingOf(form: HTMLFormElement, what: string): Missing[] {
  const errors: Missing[] = [];
  const [nome, whatsapp] = [fieldIn(form, 'nome').value.trim(), fieldIn(form, 'whatsapp').value.trim()];
  if (nome.length < 2)
    errors.push({
      pointer: '/nome',
      detail: nome === '' ? 'Informe seu nome' : 'Nome deve ter pelo menos 2 caracteres',
    });
  if (whatsapp.replace(/\D/g, '').length < 10)
    errors.push({
      pointer: '/whatsapp',
      detail: whatsapp === '' ? 'Informe o WhatsApp com DDD' : 'WhatsApp inválido',
    });
  if (!fieldIn(form, 'consentimento').checked)
    errors.push({ pointer: '/consentimento', detail: `É preciso concordar para ${what}` });
  return errors;
}

const whoIn = (form: HTMLFormElement) => ({
  ...{ nome: fieldIn(form, 'nome').value, whatsapp: fieldIn(form, 'whatsapp').value },
  ...{ email: fieldIn(form, 'email').value.trim() || null, site: fieldIn(form, 'site').value },
  consentimento: Number(fieldIn(form, 'consentimento').value),
});

const TYPED = 'rende.visitor';
const TYPED_FIELDS = ['nome', 'whatsapp', 'email'];

/** Throws in a browser without storage. */
function ifStored(work: () => void): void {
  try {
    work();
  } catch {
    // Then the values are not kept.
  }
}

/** Keeps the visitor's name and contact, also for forms of other pages, until they were sent or the tab is closed. */
function keepTyped(form: HTMLFormElement): void {
  ifStored(() => {
    const typed = JSON.parse(sessionStorage.getItem(TYPED) ?? '{}') as Record<string, string>;
    for (const name of TYPED_FIELDS) fieldIn(form, name).value ||= typed[name] ?? '';
  });
  form.addEventListener('input', () => {
    const values = TYPED_FIELDS.map((name) => [name, fieldIn(form, name).value]);
    ifStored(() => sessionStorage.setItem(TYPED, JSON.stringify(Object.fromEntries(values))));
  });
}

/** Opens the page of the booking or waitlist entry. */
function arrive(path: string): void {
  ifStored(() => sessionStorage.removeItem(TYPED));
  location.assign(path);
}

/** Solutions by request: a retry after a lost answer sends the same one. */
const proofs = new Map<string, string>();

/** Sends with the solution of a challenge, if the server asks for one. */
async function postProven(path: string, wanted: object): Promise<Answer | null> {
  const intention = path + JSON.stringify(wanted);
  const answer = await post(path, { ...wanted, prova: proofs.get(intention) });
  if (answer?.status !== 428 || !answer.body.desafio) return answer;
  const prova = await workOut(answer.body.desafio);
  if (!prova) return answer;
  proofs.set(intention, prova);
  return post(path, { ...wanted, prova });
}

function booking(form: HTMLFormElement): void {
  const { slug = '', place = '', zone = '' } = form.dataset;
  keepTyped(form);
  maskWhatsapp(fieldIn(form, 'whatsapp'));
  const chosen = document.getElementById('chosen')!;
  const show = () => {
    const inicio = chosenIn(form);
    chosen.textContent = inicio ? inZone(zone, inicio) : 'Escolha um horário';
  };
  form.addEventListener('change', show);
  // On going back to the page, the browser has restored the chosen time without an event.
  window.addEventListener('pageshow', show);
  show();

  onSend(form, { busy: 'Agendando…', failed: 'Erro ao agendar' }, async (fail) => {
    const inicio = chosenIn(form);
    const noTime = inicio ? [] : [{ pointer: '/inicio', detail: 'Escolha um horário' }];
    const errors = [...noTime, ...missingOf(form, 'agendar')];
    if (!inicio || errors.length > 0) return void showErrors(form, errors);
    const answer = await postProven('bookings', { slug, location_id: place, inicio, ...whoIn(form) });
    if (answer?.status === 201) arrive(`/p/reserva/${answer.body.token}`);
    else if (answer?.body.code === 'public.taken') offerOthers(form, zone, inicio, answer.body);
    else fail(answer);
  });
}

function joining(form: HTMLFormElement): void {
  const { slug = '', place = '', zone = '' } = form.dataset;
  keepTyped(form);
  maskWhatsapp(fieldIn(form, 'whatsapp'));
  onSend(form, { busy: 'Enviando…', failed: 'Erro ao entrar na lista' }, async (fail) => {
    const checked = Array.from(form.querySelectorAll<HTMLInputElement>('input[name="periodos"]:checked'));
    const noPart =
      checked.length > 0 ? [] : [{ pointer: '/periodos', detail: 'Escolha pelo menos um período' }];
    const errors = [...noPart, ...missingOf(form, 'entrar na lista')];
    if (errors.length > 0) return void showErrors(form, errors);
    const answer = await postProven('waitlist', {
      ...{ slug, location_id: place, de: fieldIn(form, 'de').value, ate: fieldIn(form, 'ate').value },
      ...{ periodos: checked.map(({ value }) => value), ...whoIn(form) },
    });
    if (answer?.status === 201) arrive(`/p/espera/${answer.body.token}`);
    else if (answer?.body.code === 'public.times_free') linkFree(answer.body, `/p/${slug}/${place}`, zone);
    else fail(answer);
  });
}

/** Shows the free times to a visitor who wanted to join the waitlist. */
function linkFree({ title, livres = [] }: Answer['body'], path: string, zone: string): void {
  const ways = document.createElement('span');
  ways.className = 'ways-out';
  for (const { inicio } of livres) {
    const link = document.createElement('a');
    link.className = 'chip';
    link.href = `${path}?em=${inicio}`;
    link.textContent = inZone(zone, inicio);
    ways.append(link);
  }
  say(`${title ?? ''}:`, ways);
}

function offer(form: HTMLFormElement): void {
  const answerTo = { token: form.dataset.token, oferta: Number(form.dataset.offer) };
  onSend(form, { busy: 'Agendando…', failed: 'Erro ao agendar' }, async (fail) => {
    const answer = await post('waitlist/take', answerTo);
    if (answer?.status === 201) location.assign(`/p/reserva/${answer.body.token}`);
    else fail(answer);
  });
  const refuse = document.getElementById('refuse') as HTMLButtonElement | null;
  if (!refuse) return;
  refuse.disabled = false;
  refuse.addEventListener('click', () =>
    sendBy(form, refuse, { busy: 'Recusando…', failed: 'Erro ao recusar' }, async (fail) => {
      const answer = await post('waitlist/refuse', answerTo);
      if (answer?.status === 200) location.reload();
      else fail(answer);
    }),
  );
}

function leave(form: HTMLFormElement): void {
  onSend(form, { busy: 'Saindo…', failed: 'Erro ao sair da lista' }, async (fail) => {
    const answer = await post('waitlist/leave', { token: form.dataset.token });
    if (answer?.status === 200) location.reload();
    else fail(answer);
  });
}

function changes(section: HTMLElement): void {
  const { token = '', zone = '' } = section.dataset;
  const move = document.getElementById('move') as HTMLFormElement | null;
  const cancel = document.getElementById('cancel') as HTMLFormElement;
  if (move)
    onSend(move, { busy: 'Remarcando…', failed: 'Erro ao remarcar' }, async (fail) => {
      const inicio = chosenIn(move);
      if (!inicio) return void showErrors(move, [{ pointer: '/inicio', detail: 'Escolha um horário' }]);
      const answer = await post('visits/move', { token, inicio });
      if (answer?.status === 200) location.reload();
      else if (answer?.body.code === 'public.taken') offerOthers(move, zone, inicio, answer.body);
      else fail(answer);
    });
  onSend(cancel, { busy: 'Cancelando…', failed: 'Erro ao cancelar' }, async (fail) => {
    const answer = await post('visits/cancel', { token });
    if (answer?.status === 200) location.reload();
    else fail(answer);
  });
}

/** Each page is recognised by the id of its form. */
function begin(id: string, work: (element: HTMLFormElement) => void): void {
  const found = document.getElementById(id) as HTMLFormElement | null;
  if (found) work(found);
}
begin('booking', booking);
begin('waiting', joining);
begin('offer', offer);
begin('leave', leave);
begin('changes', changes);
