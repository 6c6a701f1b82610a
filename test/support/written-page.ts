import { expect } from '@jest/globals';

/** A page that the server writes, as a browser without a script gets it. */
export async function writtenPage({ url }: { url: string }, path: string) {
  const answer = await fetch(url + path);
  const text = await answer.text();
  const found = text.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g);
  const metas = Object.fromEntries(Array.from(found, ([, name, content]) => [name!, content!] as const));
  // As read by a person: without tags, and with one space.
  const words = text
    .slice(text.indexOf('<main'), text.indexOf('<footer'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\t\n ]+/g, ' ');
  return { status: answer.status, headers: answer.headers, text, metas, words };
}

export type WrittenPage = Awaited<ReturnType<typeof writtenPage>>;

/** What messengers show of a link, which is for its holder alone: nothing that the page does not tell, and not its token. */
export function expectPreview(
  { text, metas, words }: WrittenPage,
  token: string,
  title: string,
  description: string,
): void {
  expect(text).toContain(`<title>${title}</title>`);
  expect(metas).toMatchObject({
    description,
    robots: 'noindex, nofollow',
    'og:title': title,
    'og:description': description,
    'og:image': expect.stringMatching(/^https?:\/\/[^/]+\/icon-512\.png$/),
  });
  expect(metas['og:url']).toBeUndefined();
  expect(text.slice(0, text.indexOf('<body'))).not.toContain(token);
  const told = [title, description]
    .flatMap((line) => line.split(' · '))
    .map((part) => part.replace(/^(Pix|Aula|Recibo) de /, ''));
  for (const part of told) expect(words.toLowerCase()).toContain(part.toLowerCase());
}

/** Dead links are answered as pages, all in the same way. */
export async function expectDeadLinks(app: { url: string }, under: string, ...lost: string[]): Promise<void> {
  for (const token of [...lost, 'abc', 'a'.repeat(5000), '', 'a%00b']) {
    const { status, headers, text } = await writtenPage(app, `${under}/${token}`);
    expect([token, status, headers.get('Cache-Control')]).toEqual([token, 404, 'no-store']);
    expect(text).toContain('<h1>Link inválido ou expirado</h1>');
  }
}
