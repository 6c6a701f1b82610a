import { html, type Html } from '../html.js';

interface Head {
  title: string;
  description: string;
  /** Address of the site, for the picture in previews; null without one. */
  site: string | null;
  /** Path of a page that is for everybody: previews name it. */
  path?: string;
  isIndexed?: boolean;
}

/** A page that a link opens, written by the server. */
export function document({ title, description, site, path, isIndexed = false }: Head, body: Html): string {
  return html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>${title}</title>
        <meta name="description" content="${description}" />
        <meta name="robots" content="${isIndexed ? 'index, follow' : 'noindex, nofollow'}" />
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content="Rende" />
        <meta property="og:locale" content="pt_BR" />
        <meta property="og:title" content="${title}" />
        <meta property="og:description" content="${description}" />
        ${path !== undefined && html`<meta property="og:url" content="${site}${path}" />`}
        ${
          site !== null &&
          html`<meta property="og:image" content="${site}/icon-512.png" />
            <meta name="twitter:card" content="summary" />`
        }
        <meta name="color-scheme" content="dark light" />
        <meta name="theme-color" content="#10121a" media="(prefers-color-scheme: dark)" />
        <meta name="theme-color" content="#f5f6fb" media="(prefers-color-scheme: light)" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/booking.css" />
        <script type="module" src="/booking.js"></script>
      </head>
      <body>
        <nav class="home"><a class="back" href="/">‹ Voltar ao Rende</a></nav>
        ${body}
        <footer><a href="/">Feito com Rende</a></footer>
      </body>
    </html>`.text;
}

/** The countries of the phone field that it follows; the script keeps both alike. */
export const countryChoice = (countries: readonly { value: string; name: string }[]) =>
  html`<select class="country" aria-label="País" disabled>
    ${countries.map(({ value, name }) => html`<option value="${value}">${name}</option>`)}
  </select>`;

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

/** One line of a list of facts. */
export const fact = (name: string, value: string | Html, more: string | null = null) =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}${more !== null && html`<span class="dim small">${more}</span>`}</dd>
  </div>`;

/** The top of a page: the initials of the trainer whose page it is, a title, and one line. */
export const heading = (trainer: string, title: string, line: string | Html) =>
  html`<header class="who">
    <span class="initials" aria-hidden="true">${initials(trainer)}</span>
    <div>
      <h1>${title}</h1>
      <p class="dim">${line}</p>
    </div>
  </header>`;

/** A link to a place's address on a map. */
export const mapLink = (
  { nome, endereco }: { nome: string; endereco: string | null },
  words: string | null = endereco,
) =>
  html`<a
    href="https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(`${nome}, ${endereco}`)}"
    target="_blank"
    rel="noopener noreferrer"
    >${words}</a
  >`;
