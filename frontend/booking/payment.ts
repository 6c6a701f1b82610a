// The page of a charge: copies the Pix code, tells the trainer of a payment, and shows by itself what changed.
import { copyText } from '../src/lib/clipboard.js';
import { ask, keepLooking, replaceMain } from './looking.js';
import { onSend, post, showDone } from './sending.js';

/** Between two looks while somebody waits for the payment to arrive. */
const WATCHED_MS = 1500;
/** Between two looks at a page that was left open. */
const LEFT_OPEN_MS = 15_000;
/** For how long somebody is thought to wait, after opening the page or coming back to it. */
const WAITS_MS = 600_000;

const main = () => document.querySelector<HTMLElement>('main.payment');

export function payment(): void {
  if (!main()) return;
  prepare();
  keepLooking(lookOnce, (waited) => {
    // A settled charge seldom changes again.
    if (!main()?.querySelector('.claim')) return null;
    return waited < WAITS_MS ? WATCHED_MS : LEFT_OPEN_MS;
  });
}

/** Shows the charge again if it changed. Returns how many milliseconds the server wants to be left alone. */
async function lookOnce(): Promise<number> {
  const { token = '', version } = main()?.dataset ?? {};
  const answer = token && (await ask(`/api/v1/pay/${token}`));
  if (!answer) return 0;
  const { status, retryAfter, text } = answer;
  const isOther = status === 200 && (JSON.parse(text) as { versao: string }).versao !== version;
  // 404: the link was replaced.
  if (isOther || status === 404) await renew(token);
  return retryAfter * 1000;
}

/** Replaces the content by what the server writes now. Without an answer, the charge and its code stay visible. */
async function renew(token: string): Promise<void> {
  // The page of a booking is more than its charge.
  if (main()?.dataset.page) return location.reload();
  const answer = await ask(`/pagar/${token}`);
  if (answer && [200, 404].includes(answer.status)) replaceMain(answer.text, prepare);
}

/** The buttons do nothing until this script runs, so the server disables them. */
function prepare(): void {
  const copy = document.getElementById('copy') as HTMLButtonElement | null;
  if (copy) {
    copy.disabled = false;
    copy.addEventListener('click', () => void copyCode());
  }
  const form = document.getElementById('claim') as HTMLFormElement | null;
  if (!form) return;
  onSend(form, { busy: 'Avisando…', failed: 'Não foi possível avisar' }, async (fail) => {
    const answer = await post('pay/claim', { token: main()?.dataset.token });
    if (answer?.status !== 200) return fail(answer);
    showDone(form);
  });
}

async function copyCode(): Promise<void> {
  const code = document.getElementById('code')!;
  const isCopied = await copyText(code.textContent ?? '');
  document.getElementById('copied')!.textContent = isCopied
    ? 'Código Pix copiado! Cole no app do seu banco.'
    : 'Não foi possível copiar. Selecione o código e copie.';
  if (!isCopied) getSelection()?.selectAllChildren(code);
}
