// The page of a charge: copies the Pix code, tells the trainer of a payment, and shows by itself what changed.
import { copyText } from '../src/lib/clipboard.js';
import { ask, onSend, post, showDone } from './sending.js';

/** Between two looks while somebody waits for the payment to arrive. */
const WATCHED_MS = 1500;
/** Between two looks at a page that was left open. */
const LEFT_OPEN_MS = 15_000;
/** For how long somebody is thought to wait, after opening the page or coming back to it. */
const WAITS_MS = 600_000;

const main = () => document.querySelector<HTMLElement>('main.payment');
const newsIn = (page: ParentNode | null) => page?.querySelector('.news')?.textContent ?? '';

export function payment(): void {
  if (!main()) return;
  prepare();
  let since = performance.now();
  let isLooking = false;
  let timer = setTimeout(() => void look(), WATCHED_MS);

  async function look(): Promise<void> {
    if (isLooking) return;
    clearTimeout(timer);
    isLooking = true;
    // Something between may have answered instead of the server.
    const pause = await lookOnce().catch(() => 0);
    isLooking = false;
    // A settled charge seldom changes again.
    if (document.hidden || !main()?.querySelector('.claim')) return;
    timer = setTimeout(
      () => void look(),
      Math.max(pause, performance.now() - since < WAITS_MS ? WATCHED_MS : LEFT_OPEN_MS),
    );
  }
  /** Coming back from the bank's app, or to the network. */
  const comeBack = () => {
    if (document.hidden) return;
    since = performance.now();
    void look();
  };
  document.addEventListener('visibilitychange', comeBack);
  window.addEventListener('online', comeBack);
  window.addEventListener('pageshow', ({ persisted }) => persisted && comeBack());
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
  const answer = await ask(`/pagar/${token}`);
  if (!answer || ![200, 404].includes(answer.status)) return;
  const written = new DOMParser().parseFromString(answer.text, 'text/html');
  const [shown, fresh] = [main(), written.querySelector('main')];
  if (!shown || !fresh) return;
  for (const unneeded of Array.from(fresh.querySelectorAll('noscript'))) unneeded.remove();
  const before = newsIn(shown);
  const focused = shown.contains(document.activeElement) ? document.activeElement : null;
  shown.replaceWith(fresh);
  document.title = written.title;
  prepare();
  if (focused) (document.getElementById(focused.id) ?? fresh.querySelector<HTMLElement>('.news'))?.focus();
  if (newsIn(fresh) !== before) document.getElementById('news')!.textContent = newsIn(fresh);
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
