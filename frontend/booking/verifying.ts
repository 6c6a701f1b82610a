// The page that verifies documents: whether a PDF is a signed copy, byte for byte, or which receipt it is. The file stays on
// the device: only its SHA-256 and its code are sent.
import { ask } from './looking.js';
import { say, tooMany, unsay } from './sending.js';

/** The code in the keywords of a PDF, which are not compressed; a receipt's begins with "R-", a dossier's with "D-". */
const CODE = /Rende (([RD]-)?(?:[A-Z2-9]{4}-){3}[A-Z2-9]{4})/;
/** Many times as large as the PDF of the longest contract. */
const LARGEST_COPY = 10_000_000;

let latest: File | undefined;

export function verifying(): void {
  const drop = document.getElementById('drop');
  const input = drop?.querySelector('input');
  if (!drop || !input) return;
  input.disabled = false;
  input.addEventListener('change', () => {
    void verify(input.files?.[0]);
    // So that the same file can be chosen again.
    input.value = '';
  });
  const hover = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    drop.classList.toggle('over', isOver);
  };
  drop.addEventListener('dragover', hover(true));
  drop.addEventListener('dragleave', hover(false));
  drop.addEventListener('drop', (event) => {
    hover(false)(event);
    void verify(event.dataTransfer?.files[0]);
  });
}

async function verify(file: File | undefined): Promise<void> {
  latest = file;
  unsay();
  const result = document.getElementById('result')!;
  result.textContent = '';
  if (!file) return;
  const outcome = await outcomeOf(file).catch(() => 'Não foi possível verificar o arquivo. Tente de novo.');
  // Another file was chosen meanwhile.
  if (latest !== file) return;
  if (typeof outcome === 'string') return say(outcome);
  result.append(outcome);
  result.scrollIntoView({ block: 'nearest' });
}

/** What to show, or why it is not known. */
async function outcomeOf(file: File): Promise<Node | string> {
  // A device may not have the memory for it.
  if (file.size > LARGEST_COPY) return wordsOf('unknown');
  const bytes = await file.arrayBuffer();
  const hash = Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
  const copy = await look(
    `/api/v1/contract-files/${hash.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  );
  if (typeof copy === 'string') return copy;
  const [, named, letter] = CODE.exec(new TextDecoder('latin1').decode(bytes)) ?? [];
  const code = copy.isKnown ? (JSON.parse(copy.text) as { codigo: string }).codigo : named;
  if (!code) return wordsOf('unknown');
  const page = await look(`/verificar/${code}`);
  if (typeof page === 'string') return page;
  if (!page.isKnown) return wordsOf('unknown');
  return copy.isKnown || letter ? resultOf(page.text) : wordsOf('altered');
}

async function look(address: string): Promise<{ isKnown: boolean; text: string } | string> {
  const answer = await ask(address);
  if (!answer) return 'Sem conexão com o servidor. Tente de novo.';
  const { status, text, retryAfter } = answer;
  if (status === 429) return tooMany(retryAfter);
  if (status !== 200 && status !== 404) throw new Error(`answered ${status}`);
  return { isKnown: status === 200, text };
}

const wordsOf = (id: string) => (document.getElementById(id) as HTMLTemplateElement).content.cloneNode(true);

function resultOf(page: string): Node {
  const result = document.createDocumentFragment();
  const written = new DOMParser().parseFromString(page, 'text/html').getElementById('result');
  result.append(...Array.from(written?.childNodes ?? []));
  return result;
}
