// The page of a signing link: fills in and sends the signature, and shows by itself what changed.
import { guardianRole, type GuardianRole, roleInWords } from '../../backend/modules/contracts/age.api.js';
import { maskCpf, maskDate } from '../src/lib/masks.js';
import { saveFile } from '../src/lib/save-file.js';
import { masked, phoneField } from './fields.js';
import { ask, keepLooking, replaceMain } from './looking.js';
import { type Answer, onSend, post, say, sendBy, showErrors } from './sending.js';
import { store, stored } from './stored.js';

/** Between two looks at a page that waits for its signature. */
const OPEN_MS = 10_000;
const FIRST_PDF_MS = 1000;
const TRIES = 3;
const KEPT = 'rende.signing';
const LONGEST_CPF = 14;

const main = () => document.querySelector<HTMLElement>('main.signing');
const formOf = (id: string) => document.getElementById(id) as HTMLFormElement | null;
const token = () => main()?.dataset.token ?? '';
const isOpen = (estado = '') => estado === 'enviado' || estado === 'aberto';

/** The CPF of who signed: typed on this page, and kept by it alone. */
let signer: string | null = null;
/** The mailed code, once it is confirmed. */
let code: string | null = null;
let isRead = false;
let lookAgain = () => {};
/** Other tabs of this browser with the same page. Safari has none until 15.4: there, a tab asks for the CPF. */
let others: BroadcastChannel | null = null;

export function signing(): void {
  if (!main()) return;
  prepare();
  if (main()?.dataset.estado === 'enviado') void post('signature-links/open', { token: token() });
  lookAgain = keepLooking(
    () => (main()?.querySelector('[aria-disabled="true"]') ? Promise.resolve(0) : look()),
    (waited) => {
      if (isOpen(main()?.dataset.estado)) return OPEN_MS;
      const isWaiting = formOf('pdf')?.querySelector('button')?.disabled;
      return isWaiting ? Math.min(OPEN_MS, FIRST_PDF_MS + waited) : null;
    },
  );
  for (const event of ['online', 'offline']) window.addEventListener(event, showMissing);
  if (!('BroadcastChannel' in window)) return;
  others = new BroadcastChannel(KEPT);
  others.addEventListener('message', ({ data }: MessageEvent<{ token: string; cpf: string }>) => {
    if (data.token === token() && isOpen(main()?.dataset.estado)) void showSigned(data.cpf);
  });
}

/** Shows what changed elsewhere. Returns how many milliseconds the server wants to be left alone. */
async function look(): Promise<number> {
  const answer = token() && (await ask(`/api/v1/signature-links/${token()}`));
  if (!answer) return 0;
  const { status, retryAfter, text } = answer;
  if (status === 404) await renew();
  else if (status === 200) {
    const { estado, prova } = JSON.parse(text) as { estado: string; prova: { tem_pdf: boolean } | null };
    const shown = main()?.dataset.estado;
    if (prova?.tem_pdf) offerPdf();
    const isSame = estado === shown || (isOpen(estado) && isOpen(shown));
    const cpf = signer ?? typedIn(formOf('sign'), 'cpf');
    if (!isSame && !(prova && cpf.length === LONGEST_CPF && (await showSigned(cpf)))) await renew();
  }
  return retryAfter * 1000;
}

/** Shows what the server writes now. */
async function renew(): Promise<void> {
  const answer = await ask(`/assinar/${token()}`);
  if (answer && [200, 404].includes(answer.status)) show(answer.text);
}

function show(page: string): void {
  replaceMain(page, prepare);
  main()?.querySelector<HTMLElement>('.news')?.focus();
  lookAgain();
}

/** What the link shows to who knows the CPF. The server may not have read the signature yet. */
async function readAs(cpf: string, tries = TRIES): Promise<Answer | null> {
  const answer = await post('signature-links/read', { token: token(), cpf });
  if (answer?.status !== 503 || tries <= 1) return answer;
  await new Promise((resolve) => setTimeout(resolve, answer.retryAfter * 1000));
  return readAs(cpf, tries - 1);
}

async function showSigned(cpf: string): Promise<boolean> {
  const answer = await readAs(cpf);
  if (answer?.status !== 200) return false;
  forgetTyped();
  signer = cpf;
  show(answer.body.pagina ?? '');
  return true;
}

const fieldIn = (form: HTMLElement | null, name: string) =>
  form?.querySelector<HTMLInputElement>(`[name="${name}"]`);
const typedIn = (form: HTMLElement | null, name: string) => fieldIn(form, name)?.value ?? '';
/** `YYYY-MM-DD` of a typed day; other text stays as it is, for the server to say what is wrong. */
const dayIn = (form: HTMLElement, name: string) =>
  typedIn(form, name).replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1');

/** The forms do nothing until this script runs, so the server disables their buttons. */
function prepare(): void {
  const page = main();
  if (!page) return;
  keepTyped(page);
  for (const [name, mask] of [
    ...([
      ['cpf', maskCpf],
      ['responsavel/cpf', maskCpf],
    ] as const),
    ...([
      ['nascimento', maskDate],
      ['responsavel/nascimento', maskDate],
    ] as const),
  ]) {
    const field = fieldIn(page, name);
    if (field) masked(field, mask);
  }
  const phone = fieldIn(page, 'telefone');
  if (phone) phoneField(phone);
  const sign = formOf('sign');
  if (sign) toSign(page, sign);
  const decline = formOf('decline');
  if (decline)
    onSend(decline, { busy: 'Recusando…', failed: 'Erro ao recusar contrato' }, async (fail) => {
      const body = { token: token(), motivo: typedIn(decline, 'motivo') };
      const answer = await post('signature-links/decline', body);
      if (answer?.status !== 200) return refused(answer, fail);
      forgetTyped();
      await renew();
      say('Contrato recusado. Seu personal vê o motivo.');
    });
  const read = formOf('read');
  if (read)
    onSend(read, { busy: 'Abrindo…', failed: 'Erro ao abrir o contrato' }, async (fail) => {
      const answer = await readAs(typedIn(read, 'cpf'));
      if (answer?.status !== 200) return fail(answer);
      signer = typedIn(read, 'cpf');
      show(answer.body.pagina ?? '');
    });
  toHaveSigned();
}

/** What can be done with a signed copy. */
function toHaveSigned(): void {
  const withdraw = formOf('withdraw');
  if (withdraw)
    onSend(withdraw, { busy: 'Desistindo…', failed: 'Erro ao desistir do contrato' }, async (fail) => {
      const answer = await post('signature-links/withdraw', { token: token(), cpf: signer });
      if (answer?.status !== 200) return fail(answer);
      if (!(await showSigned(signer!))) await renew();
      say('Desistência registrada. Seu personal vê a desistência no histórico do contrato.');
    });
  const pdf = formOf('pdf');
  if (!pdf) return;
  onSend(pdf, { busy: 'Baixando…', failed: 'Erro ao baixar o PDF' }, async (fail) => {
    const answer = await fetch('/api/v1/signature-links/pdf', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: token(), cpf: signer }),
    }).catch(() => null);
    if (answer?.ok) return saveFile(await answer.blob(), pdf.dataset.name!);
    fail(
      answer && {
        status: answer.status,
        retryAfter: Number(answer.headers.get('Retry-After')),
        body: (await answer.json()) as Answer['body'],
      },
    );
  });
  if (pdf.dataset.made === 'false') pdf.querySelector('button')!.disabled = true;
}

function offerPdf(): void {
  const button = formOf('pdf')?.querySelector('button');
  if (!button?.disabled) return;
  button.disabled = false;
  button.textContent = 'Baixar PDF';
}

/** Another tab may have signed, or the trainer taken the link back: then the page shows that. */
async function refused(answer: Answer | null, fail: (answer: Answer | null) => void): Promise<void> {
  fail(answer);
  if (answer?.status === 409) await look();
}

function toSign(page: HTMLElement, form: HTMLFormElement): void {
  const { papel = '', today = '' } = page.dataset;
  const isAsked = fieldIn(form, 'nascimento') !== null;
  /** By the typed or the recorded birth date, whichever is that of the younger person. */
  const role = (): GuardianRole | null => {
    const typed = dayIn(form, 'nascimento');
    const byDate = guardianRole(/^\d{4}-\d\d-\d\d$/.test(typed) ? typed : null, today);
    return byDate === 'representa' || papel === '' ? byDate : (papel as GuardianRole);
  };
  const places = Array.from(page.querySelectorAll('.cpf'));
  const line = places[0]?.textContent ?? '';
  const follow = () => {
    const cpf = typedIn(form, 'cpf');
    for (const place of places) place.textContent = cpf.length === LONGEST_CPF ? cpf : line;
    const guardian = document.getElementById('guardian');
    const signs = role();
    if (!guardian) return;
    guardian.hidden = !signs;
    if (signs) document.getElementById('role')!.textContent = roleInWords[signs];
  };
  form.addEventListener('input', follow);
  follow();
  onSend(form, { busy: 'Assinando…', failed: 'Erro ao assinar contrato' }, async (fail) => {
    const cpf = typedIn(form, 'cpf');
    const answer = await post('signature-links/sign', {
      token: token(),
      nome: typedIn(form, 'nome'),
      cpf,
      telefone: typedIn(form, 'telefone'),
      nascimento: isAsked ? dayIn(form, 'nascimento') : null,
      responsavel: role() && {
        nome: typedIn(form, 'responsavel/nome'),
        cpf: typedIn(form, 'responsavel/cpf'),
        nascimento: dayIn(form, 'responsavel/nascimento'),
        relacao: typedIn(form, 'responsavel/relacao'),
      },
      codigo: code,
      consent_data_processing: fieldIn(form, 'consent_data_processing')!.checked,
      consent_terms: fieldIn(form, 'consent_terms')!.checked,
      consentimento: typedIn(form, 'consentimento'),
    });
    if (answer?.status !== 200) return refused(answer, fail);
    forgetTyped();
    others?.postMessage({ token: token(), cpf });
    if (!(await showSigned(cpf))) await renew();
    say('Contrato assinado com sucesso');
  });
  mailedCode(form);
  new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      isRead = true;
      showMissing();
    },
    // What has been scrolled past counts too.
    { rootMargin: '1000000px 0px 0px 0px' },
  ).observe(document.getElementById('end')!);
  showMissing();
}

/** What is missing before it can be signed. */
function showMissing(): void {
  const form = formOf('sign');
  if (!form) return;
  const missing = !isRead
    ? 'Leia o texto até o fim para assinar.'
    : code === null && document.getElementById('code')
      ? 'Confirme o código enviado por e-mail para assinar.'
      : '';
  document.getElementById('missing')!.textContent = missing;
  document.getElementById('offline')!.hidden = navigator.onLine;
  form.querySelector<HTMLButtonElement>('[type="submit"]')!.disabled = missing !== '' || !navigator.onLine;
}

function mailedCode(form: HTMLFormElement): void {
  const ask = document.getElementById('send-code') as HTMLButtonElement | null;
  const confirm = document.getElementById('confirm-code') as HTMLButtonElement;
  const field = fieldIn(form, 'codigo');
  if (!ask || !field) return;
  const said = document.getElementById('code-said')!;
  let asked = 0;
  const follow = () => (confirm.disabled = field.value.length !== 6);
  field.addEventListener('input', () => {
    field.value = field.value.replace(/\D/g, '');
    follow();
  });
  follow();
  ask.disabled = false;
  ask.addEventListener('click', () =>
    sendBy(form, ask, { busy: 'Enviando…', failed: 'Erro ao enviar e-mail' }, async (fail) => {
      const answer = await post('signature-links/code', { token: token() }, asked);
      if (answer?.status !== 200) return refused(answer, fail);
      asked += 1;
      ask.textContent = 'Enviar outro código';
      said.textContent = 'Email enviado!';
      document.getElementById('code-note')!.hidden = true;
      document.getElementById('typing')!.hidden = false;
      field.focus();
    }),
  );
  confirm.addEventListener('click', () =>
    sendBy(form, confirm, { busy: 'Confirmando…', failed: 'Erro ao confirmar o código' }, async (fail) => {
      const codigo = field.value;
      const answer = await post('signature-links/confirm-code', { token: token(), codigo }, asked);
      if (answer?.status !== 200) return refused(answer, fail);
      if (!answer.body.confirmado)
        return void showErrors(form, [
          { pointer: '/codigo', detail: 'Código incorreto. Confira ou peça outro.' },
        ]);
      code = codigo;
      for (const id of ['code-note', 'typing', 'send-code']) document.getElementById(id)!.hidden = true;
      said.textContent = 'Código confirmado';
      said.focus();
      showMissing();
    }),
  );
}

/**
 * What is typed again after a reload: documents and codes are never in a browser's storage, and what is agreed to is ticked by the
 * person. On going back, a browser that holds the whole page in memory (Chromium) shows these as well.
 */
const NOT_KEPT = /cpf|nascimento|codigo|^consent/;

/** Keeps what was typed on going back and on a reload, until it was sent or the tab is closed. */
function keepTyped(page: HTMLElement): void {
  const fields = Array.from(
    page.querySelectorAll<HTMLInputElement>(
      '#sign [name]:not([type="hidden"]), #decline [name]:not([type="hidden"])',
    ),
  ).filter(({ name }) => !NOT_KEPT.test(name));
  if (fields.length === 0) return;
  const key = `${KEPT} ${token()}`;
  const typed = stored<Record<string, string>>('sessionStorage', key, {});
  for (const field of fields) field.value = typed[field.name] ?? field.value;
  page.addEventListener('input', () =>
    store('sessionStorage', key, Object.fromEntries(fields.map(({ name, value }) => [name, value]))),
  );
}

const forgetTyped = () => store('sessionStorage', `${KEPT} ${token()}`, null);
