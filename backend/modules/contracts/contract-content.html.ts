import { createHash } from 'node:crypto';
import sanitizeHtml from 'sanitize-html';

/** Deeper than any text that a person writes, and shallow enough for every reader. */
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
      // Only an address with its scheme: a relative one would lead into the application.
      attribs: /^(https:\/\/|mailto:)/i.test(href) ? { href } : {},
    }),
  },
};

/**
 * A contract's text as it may be shown: headings, paragraphs, lists, bold, italic and links to https and mailto. All else is
 * left out, with what scripts and styles contain.
 */
export function cleanHtml(html: string): string {
  let clean = sanitizeHtml(html, options).trim();
  // A parser may read its own output otherwise, such as a paragraph in a paragraph: until it does not.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const again = sanitizeHtml(clean, options).trim();
    if (again === clean) return clean;
    clean = again;
  }
  return clean;
}

/** Whether anything of it can be read. */
export const isBlank = (html: string): boolean =>
  html.replace(/<[^>]*>|&nbsp;|\u00a0/g, ' ').trim().length === 0;

interface SignedContent {
  contract_id: string;
  versao: number;
  titulo: string;
  /** With every field filled in. */
  conteudo: string;
  /** Random; null for what was signed before there was one. */
  sal: string | null;
}

/**
 * SHA-256 of what is signed, in hexadecimal: of JSON with these keys in this order, in UTF-8; without `sal` where that is
 * null. The hash is shown to anybody, and the texts of known persons could be tried otherwise.
 */
export function contentHash({ contract_id, versao, titulo, conteudo, sal }: SignedContent): string {
  const content = { contract_id, versao, titulo, conteudo, ...(sal !== null && { sal }) };
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
