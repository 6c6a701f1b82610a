import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import sanitizeHtml from 'sanitize-html';
import { withoutUnseen } from '../../platform/http/common.api.js';

/** Deeper than any real contract, and shallow enough for every parser. */
const MOST_NESTED = 24;

const MOST_ROUNDS = 8;

const options: sanitizeHtml.IOptions = {
  allowedTags: ['h1', 'h2', 'h3', 'p', 'br', 'ul', 'ol', 'li', 'strong', 'em', 'a'],
  allowedAttributes: { a: ['href'] },
  allowedSchemes: ['https', 'mailto'],
  allowProtocolRelative: false,
  allowedSchemesAppliedToAttributes: ['href'],
  disallowedTagsMode: 'discard',
  nestingLimit: MOST_NESTED,
  enforceHtmlBoundary: false,
  parseStyleAttributes: false,
  transformTags: {
    b: 'strong',
    i: 'em',
    h4: 'h3',
    h5: 'h3',
    h6: 'h3',
    a: (_name, { href = '' }): sanitizeHtml.Tag => ({
      tagName: 'a',
      // Only absolute addresses: a relative one would lead into the application.
      attribs: /^(https:\/\/|mailto:)/i.test(href) ? { href } : {},
    }),
  },
};

/** Characters that nobody sees are removed after the parser has decoded entities such as `&#8238;`. */
const sanitised = (html: string) => withoutUnseen(sanitizeHtml(html, options)).trim();

/**
 * Sanitises a contract's text. Allowed are headings, paragraphs, lists, bold, italic and links to https and mailto. Everything
 * else is removed, including the content of scripts and styles. Each reading of the text takes a turn of the event loop, because the
 * longest text takes 10 ms or more.
 */
export async function cleanHtml(html: string): Promise<string> {
  let clean = sanitised(html);
  // A parser may read its own output differently (a paragraph inside a paragraph), so this repeats until nothing changes.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await nextTurn();
    const again = sanitised(clean);
    if (again === clean) return clean;
    clean = again;
  }
  return clean;
}

/** Whether it contains no readable text. */
export const isBlank = (html: string): boolean =>
  html.replace(/<[^>]*>|&nbsp;|\u00a0/g, ' ').trim().length === 0;

interface SignedContent {
  contract_id: string;
  versao: number;
  titulo: string;
  /** With all merge fields filled in. */
  conteudo: string;
  /** Random; null for signatures made before salts existed. */
  sal: string | null;
}

/**
 * SHA-256 in hexadecimal of the signed content, as JSON with these keys in this order, in UTF-8; without `sal` where it is
 * null. The hash is public: without the salt, somebody could find the text by hashing guesses.
 */
export function contentHash({ contract_id, versao, titulo, conteudo, sal }: SignedContent): string {
  const content = { contract_id, versao, titulo, conteudo, ...(sal !== null && { sal }) };
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
