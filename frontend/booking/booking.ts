// Script of the pages that the server writes: sends what was typed, and shows that a payment arrived. All content comes
// from the server, with times in the trainer's time zone; this device's clock is not used.
import './booking.css';
import './payment.css';
import './signing.css';
import { solveChallenge } from 'altcha-lib/v1';
import { wrongPhone } from '../../backend/modules/students/phone.api.js';
import { phoneField } from './fields.js';
import { payment } from './payment.js';
import { announce, greet, keep, ownAt, pathOfVisit } from './kept.js';
import {
  type Answer,
  onSend,
  post,
  postKept,
  say,
  sendBy,
  showDone,
  showErrors,
  unanswered,
  unsay,
} from './sending.js';
import { signing } from './signing.js';
import { store, stored } from './stored.js';
import { verifying } from './verifying.js';
import { inZone } from './words.js';

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
  const { day } = input.closest('fieldset')?.dataset ?? {};
  if (day !== undefined) showDay(form, day);
  unsay();
  form.dispatchEvent(new Event('change'));
}

/** Shows the times of one day. */
function showDay(form: HTMLFormElement, day: string): void {
  for (const group of Array.from(form.querySelectorAll<HTMLElement>('.days fieldset')))
    group.hidden = group.dataset.day !== day;
  for (const link of Array.from(form.querySelectorAll<HTMLElement>('.strip a')))
    if (link.dataset.day === day) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
}

const chosenIn = (form: HTMLFormElement) =>
  form.querySelector<HTMLInputElement>('input[name="inicio"]:checked')?.value ?? null;

/**
 * The times of a form: its days are shown without loading a page, and the address says which time is chosen, so that it still is
 * after a reload, if it is free. Tells each choice.
 */
function choosing(form: HTMLFormElement, zone: string, tell: (inicio: string | null) => void): void {
  const chosen = form.querySelector('#chosen')!;
  const show = () => {
    const inicio = chosenIn(form);
    chosen.textContent = inicio ? inZone(zone, inicio) : 'Escolha um horário';
    const address = new URL(location.href);
    if (inicio) address.searchParams.set('em', inicio);
    else address.searchParams.delete('em');
    history.replaceState(null, '', address);
    if (inicio) document.getElementById('gone')?.remove();
    tell(inicio);
  };
  for (const link of Array.from(form.querySelectorAll<HTMLAnchorElement>('.strip a')))
    link.addEventListener('click', (event) => {
      event.preventDefault();
      showDay(form, link.dataset.day!);
      history.replaceState(null, '', link.href);
      show();
    });
  form.addEventListener('change', show);
  // On going back to the page, the browser has restored the chosen time without an event.
  window.addEventListener('pageshow', () => {
    const day = form.querySelector('input[name="inicio"]:checked')?.closest('fieldset')?.dataset.day;
    if (day !== undefined) showDay(form, day);
    show();
  });
  show();
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

const fieldIn = (form: HTMLFormElement, name: string) =>
  form.querySelector<HTMLInputElement>(`input[name="${name}"]`)!;

const submitIn = (form: HTMLFormElement) => form.querySelector<HTMLButtonElement>('button[type="submit"]')!;

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
  nome: fieldIn(form, 'nome').value,
  whatsapp: fieldIn(form, 'whatsapp').value,
  email: fieldIn(form, 'email').value.trim() || null,
  site: fieldIn(form, 'site').value,
  consentimento: Number(fieldIn(form, 'consentimento').value),
  ...doorOf(form),
});

/** What the page said that the class costs, which is agreed to by sending it. */
const doorOf = ({ dataset: { door } }: HTMLFormElement) =>
  door ? { porta: JSON.parse(door) as object } : {};

const MINUTE = 60_000;

const TYPED = 'rende.visitor';
const TYPED_FIELDS = ['nome', 'whatsapp', 'email'];

/**
 * Keeps the visitor's name and contact, also for forms of other pages, until they were sent or the tab is closed. The consent is
 * kept for the same page and text only.
 */
function keepTyped(form: HTMLFormElement): void {
  const typed = stored<Record<string, string>>('sessionStorage', TYPED, {});
  for (const name of TYPED_FIELDS) fieldIn(form, name).value ||= typed[name] ?? '';
  const consent = fieldIn(form, 'consentimento');
  const agreement = `${consent.value} ${location.pathname}`;
  consent.checked ||= typed.agreed === agreement;
  form.addEventListener('input', () => {
    const values = TYPED_FIELDS.map((name) => [name, fieldIn(form, name).value]);
    if (consent.checked) values.push(['agreed', agreement]);
    store('sessionStorage', TYPED, Object.fromEntries(values));
  });
}

/** Opens the page of the booking or waitlist entry, to which one goes back instead of to the form. */
function arrive(path: string): void {
  store('sessionStorage', TYPED, null);
  location.replace(path);
}

/** Solutions by request: a retry after a lost answer sends the same one. */
const proofs = new Map<string, string>();

/** Sends with the solution of a challenge, if the server asks for one. */
async function postProven(path: string, wanted: object): Promise<Answer | null> {
  const intention = path + JSON.stringify(wanted);
  const proof = proofs.get(intention);
  const answer = await postKept(path, proof === undefined ? wanted : { ...wanted, prova: proof });
  if (answer?.status !== 428 || !answer.body.desafio) return answer;
  const prova = await workOut(answer.body.desafio);
  if (!prova) return answer;
  proofs.set(intention, prova);
  return postKept(path, { ...wanted, prova });
}

interface Sent {
  slug: string;
  location_id: string;
  service_id: string | null;
}
interface Wanted extends Sent {
  inicio: string;
}
interface Wish extends Sent {
  de: string;
  ate: string;
  periodos: string[];
  nenhum_serve?: boolean;
}

/**
 * A page that was loaded again offers to ask for the answer that it did not get. It does so only when tapped: what did not
 * arrive is made by that.
 */
function askAgain<Asked extends Sent>(
  form: HTMLFormElement,
  path: string,
  { what, ...words }: { what: (asked: Asked) => string; busy: string; failed: string },
  send: (asked: Asked, fail: (answer: Answer | null) => void) => Promise<void>,
): void {
  const left = unanswered<Asked>(path);
  // By the location: the trainer's address may have changed since.
  if (!left || left.location_id !== form.dataset.place) return;
  const again = document.createElement('button');
  again.type = 'button';
  again.className = 'chip';
  again.textContent = 'Enviar de novo';
  const ways = document.createElement('span');
  ways.className = 'ways-out';
  ways.append(again);
  const fail = (explain: (answer: Answer | null) => void) => (answer: Answer | null) => {
    explain(answer);
    if (unanswered(path)) document.getElementById('said')!.append(ways);
  };
  again.addEventListener('click', () =>
    sendBy(form, submitIn(form), words, (explain) => send(left, fail(explain))),
  );
  say(`Não soubemos se ${what(left)} chegou. Se chegou, enviar de novo não repete.`, ways);
}

function booking(form: HTMLFormElement): void {
  const { slug = '', place = '', service = '', zone = '', notice = '' } = form.dataset;
  keepTyped(form);
  phoneField(fieldIn(form, 'whatsapp'));
  const asked = new URLSearchParams(location.search).get('em');
  // What is not free any more is one's own.
  if (asked !== null && ownAt(slug, asked)) document.getElementById('gone')?.remove();
  const free = document.getElementById('free')!;
  const always = free.textContent;
  choosing(form, zone, (inicio) => {
    const end = inicio && new Date(Date.parse(inicio) - Number(notice) * MINUTE).toISOString();
    free.textContent = end && Number(notice) > 0 ? `até ${inZone(zone, end)}` : always;
  });
  form.addEventListener('change', ({ target }) => {
    // What comes next is seen at once, also below the times of a long day.
    if ((target as HTMLInputElement).name === 'inicio')
      fieldIn(form, 'whatsapp').scrollIntoView({ block: 'nearest' });
  });

  const words = { busy: 'Agendando…', failed: 'Erro ao agendar' };
  const send = async (wanted: Wanted, fail: (answer: Answer | null) => void) => {
    const { inicio } = wanted;
    const answer = await postProven('public/bookings', wanted);
    const own = ownAt(slug, inicio);
    if (answer?.status === 201 && answer.body.token) {
      keep({ slug, token: answer.body.token, inicio });
      arrive(pathOfVisit(answer.body.token));
    } else if (answer?.body.code !== 'public.taken') fail(answer);
    else if (own) arrive(pathOfVisit(own.token));
    else offerOthers(form, zone, inicio, answer.body);
  };
  onSend(form, words, async (fail) => {
    const inicio = chosenIn(form);
    const noTime = inicio ? [] : [{ pointer: '/inicio', detail: 'Escolha um horário' }];
    const errors = [...noTime, ...missingOf(form, 'agendar')];
    if (!inicio || errors.length > 0) return void showErrors(form, errors);
    await send({ slug, location_id: place, service_id: service || null, inicio, ...whoIn(form) }, fail);
  });
  const what = ({ inicio }: Wanted) => `sua reserva de ${inZone(zone, inicio)}`;
  askAgain<Wanted>(form, 'public/bookings', { what, ...words }, send);
}

function joining(form: HTMLFormElement): void {
  const { slug = '', place = '', service = '', zone = '' } = form.dataset;
  keepTyped(form);
  phoneField(fieldIn(form, 'whatsapp'));
  const words = { busy: 'Enviando…', failed: 'Erro ao entrar na lista' };
  const send = async (wish: Wish, fail: (answer: Answer | null) => void) => {
    const answer = await postProven('public/waitlist', wish);
    if (answer?.status === 201) arrive(`/p/espera/${answer.body.token}`);
    else if (answer?.body.code === 'public.times_free')
      linkFree(answer.body, `/p/${slug}/${place}`, zone, () =>
        sendBy(form, submitIn(form), words, (refuse) => send({ ...wish, nenhum_serve: true }, refuse)),
      );
    else fail(answer);
  };
  onSend(form, words, async (fail) => {
    const checked = Array.from(form.querySelectorAll<HTMLInputElement>('input[name="periodos"]:checked'));
    const noPart =
      checked.length > 0 ? [] : [{ pointer: '/periodos', detail: 'Escolha pelo menos um período' }];
    const errors = [...noPart, ...missingOf(form, 'entrar na lista')];
    if (errors.length > 0) return void showErrors(form, errors);
    const days = { de: fieldIn(form, 'de').value, ate: fieldIn(form, 'ate').value };
    const periodos = checked.map(({ value }) => value);
    const wish = { slug, location_id: place, service_id: service || null, ...days, periodos };
    await send({ ...wish, ...whoIn(form) }, fail);
  });
  const what = () => 'seu pedido para entrar na lista';
  askAgain<Wish>(form, 'public/waitlist', { what, ...words }, send);
}

/** Shows the free times to a visitor who wanted to join the waitlist, and lets who wants none of them wait for others. */
function linkFree(
  { title, livres = [] }: Answer['body'],
  path: string,
  zone: string,
  wait: () => void,
): void {
  const ways = document.createElement('span');
  ways.className = 'ways-out';
  for (const { inicio } of livres) {
    const link = document.createElement('a');
    link.className = 'chip';
    const address = new URL(location.href);
    address.pathname = path;
    address.searchParams.set('em', inicio);
    link.href = address.href;
    link.textContent = inZone(zone, inicio);
    ways.append(link);
  }
  const none = document.createElement('button');
  none.type = 'button';
  none.className = 'chip';
  none.textContent = 'Nenhum serve';
  none.addEventListener('click', wait);
  ways.append(none);
  say(`${title ?? ''}:`, ways);
}

function offer(form: HTMLFormElement): void {
  const slug = main?.dataset.trainer ?? '';
  const answerTo = { token: form.dataset.token, oferta: Number(form.dataset.offer) };
  /** The page of the list says whether the offer expired or was taken in another tab, and leads to the booking. */
  const failToAnswer = (answer: Answer | null, fail: (answer: Answer | null) => void) => {
    if (answer?.body.code === 'public.offer_over') location.replace(`?oferta=${answerTo.oferta}`);
    else fail(answer);
  };
  onSend(form, { busy: 'Agendando…', failed: 'Erro ao agendar' }, async (fail) => {
    const answer = await post('public/waitlist/take', { ...answerTo, ...doorOf(form) });
    if (answer?.status === 201 && answer.body.token && answer.body.inicio) {
      keep({ slug, token: answer.body.token, inicio: answer.body.inicio });
      location.replace(pathOfVisit(answer.body.token));
    } else failToAnswer(answer, fail);
  });
  const refuse = document.getElementById('refuse') as HTMLButtonElement | null;
  if (!refuse) return;
  refuse.disabled = false;
  refuse.addEventListener('click', () =>
    sendBy(form, refuse, { busy: 'Recusando…', failed: 'Erro ao recusar' }, async (fail) => {
      const answer = await post('public/waitlist/refuse', answerTo);
      if (answer?.status === 200) location.reload();
      else failToAnswer(answer, fail);
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

/** The time to which the booking was moved, until its page has said so. */
const MOVED = 'rende.moved';

/** On the page of a booking: says that it was moved, and offers to copy and share its link. */
function visit({ start = '', zone = '' }: DOMStringMap): void {
  if (stored('sessionStorage', MOVED, '') === start)
    announce(`Pronto: sua aula mudou para ${inZone(zone, start)}. Falta a confirmação do personal.`);
  store('sessionStorage', MOVED, null);
  const copy = document.getElementById('copy');
  if (copy?.dataset.link && 'clipboard' in navigator) {
    copy.hidden = false;
    copy.addEventListener('click', () => {
      navigator.clipboard.writeText(copy.dataset.link!).then(
        () => (copy.textContent = 'Link copiado'),
        () => (copy.textContent = copy.dataset.link!),
      );
    });
  }
  const share = document.getElementById('share');
  if (share && 'share' in navigator) {
    share.hidden = false;
    const { link: url, words: text } = share.dataset;
    share.addEventListener('click', () => void navigator.share({ text, url }).catch(() => undefined));
  }
}

function changes(section: HTMLElement): void {
  const { token = '', zone = '' } = section.dataset;
  const move = document.getElementById('move') as HTMLFormElement | null;
  const cancel = document.getElementById('cancel') as HTMLFormElement;
  if (move) {
    choosing(move, zone, () => undefined);
    // The page was opened with other times to choose from.
    const folded = move.closest('details');
    if (folded?.open) folded.scrollIntoView();
    onSend(move, { busy: 'Remarcando…', failed: 'Erro ao remarcar' }, async (fail) => {
      const inicio = chosenIn(move);
      if (!inicio) return void showErrors(move, [{ pointer: '/inicio', detail: 'Escolha um horário' }]);
      const answer = await post('public/visits/move', { token, inicio });
      if (answer?.status === 200) {
        store('sessionStorage', MOVED, inicio);
        // Without the wish for other times.
        location.replace(location.pathname);
      } else if (answer?.body.code === 'public.taken') offerOthers(move, zone, inicio, answer.body);
      else failToChange(answer, fail);
    });
  }
  onSend(cancel, { busy: 'Cancelando…', failed: 'Erro ao cancelar' }, async (fail) => {
    const answer = await post('public/visits/cancel', { token, custo: Number(cancel.dataset.cost) });
    if (answer?.status === 200) location.reload();
    else failToChange(answer, fail);
  });
}

/** The page of a booking that was cancelled or began meanwhile says so, and what can be done instead. */
function failToChange(answer: Answer | null, fail: (answer: Answer | null) => void): void {
  if (['public.visit_over', 'agenda.cost_changed'].includes(answer?.body.code ?? '')) location.reload();
  else fail(answer);
}

function confirming(form: HTMLFormElement): void {
  onSend(form, { busy: 'Confirmando…', failed: 'Não foi possível confirmar' }, async (fail) => {
    const answer = await post('confirmations', { token: form.dataset.token });
    if (answer?.status === 200) showDone(form);
    // Moved, cancelled or begun meanwhile: the page then says so, and nothing else.
    else if (answer?.status === 409) location.reload();
    else fail(answer);
  });
}

const main = document.querySelector('main');

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
begin('confirm', confirming);
if (main?.dataset.visit !== undefined) visit(main.dataset);
// Also on going back to a page that the browser has kept.
if (main) window.addEventListener('pageshow', () => void greet(main));
payment();
verifying();
signing();

/** Spec 2, section 4: who opens an invite that is not valid goes to the sign-in after a while. */
const onward = document.getElementById('onward') as HTMLAnchorElement | null;
if (onward) setTimeout(() => location.replace(onward.href), 2000);
