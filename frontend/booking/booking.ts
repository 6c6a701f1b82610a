// Script of the pages that the server writes: sends what was typed, and shows that a payment arrived. All content comes
// from the server, with times in the trainer's time zone; this device's clock is not used.
import './booking.css';
import './payment.css';
import { solveChallenge } from 'altcha-lib/v1';
import { wrongPhone } from '../../backend/modules/students/phone.api.js';
import { edited } from '../src/lib/masks.js';
import { completePhone, maskPhone } from '../src/lib/phone-mask.js';
import { payment } from './payment.js';
import { type Answer, onSend, post, say, sendBy, showErrors, unsay } from './sending.js';

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
  unsay();
  form.dispatchEvent(new Event('change'));
}

const chosenIn = (form: HTMLFormElement) =>
  form.querySelector<HTMLInputElement>('input[name="inicio"]:checked')?.value ?? null;

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
  field.addEventListener('blur', () => {
    shown = completePhone(field.value) ?? field.value;
    field.value = shown;
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
  const wrong = wrongPhone(whatsapp, 'WhatsApp');
  if (wrong) errors.push({ pointer: '/whatsapp', detail: wrong });
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
    const answer = await postProven('public/bookings', { slug, location_id: place, inicio, ...whoIn(form) });
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
    const answer = await postProven('public/waitlist', {
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
    const answer = await post('public/waitlist/take', answerTo);
    if (answer?.status === 201) location.assign(`/p/reserva/${answer.body.token}`);
    else fail(answer);
  });
  const refuse = document.getElementById('refuse') as HTMLButtonElement | null;
  if (!refuse) return;
  refuse.disabled = false;
  refuse.addEventListener('click', () =>
    sendBy(form, refuse, { busy: 'Recusando…', failed: 'Erro ao recusar' }, async (fail) => {
      const answer = await post('public/waitlist/refuse', answerTo);
      if (answer?.status === 200) location.reload();
      else fail(answer);
    }),
  );
}

function leave(form: HTMLFormElement): void {
  onSend(form, { busy: 'Saindo…', failed: 'Erro ao sair da lista' }, async (fail) => {
    const answer = await post('public/waitlist/leave', { token: form.dataset.token });
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
      const answer = await post('public/visits/move', { token, inicio });
      if (answer?.status === 200) location.reload();
      else if (answer?.body.code === 'public.taken') offerOthers(move, zone, inicio, answer.body);
      else fail(answer);
    });
  onSend(cancel, { busy: 'Cancelando…', failed: 'Erro ao cancelar' }, async (fail) => {
    const answer = await post('public/visits/cancel', { token });
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
payment();
