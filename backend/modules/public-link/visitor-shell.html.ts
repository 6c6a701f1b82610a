import { html, type Html } from '../../platform/http/html.js';
import { dateFormat } from '../../platform/portuguese.js';
import { consents, CONSENT_VERSION } from './public-page.api.js';

interface Head {
  title: string;
  description: string;
  /** Null without a picture. */
  url: string | null;
  isIndexed: boolean;
}

export function document({ title, description, url, isIndexed }: Head, body: Html): string {
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
        ${
          url !== null &&
          html`<meta property="og:url" content="${url}" />
            <meta property="og:image" content="${new URL(url).origin}/icon-512.png" />
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
        ${body}
        <footer><a href="/">Feito com Rende</a></footer>
      </body>
    </html>`.text;
}

const DAY = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const FULL_DAY = { weekday: 'long', day: 'numeric', month: 'long' } as const;

export const weekday = (at: string, zone: string) => dateFormat(DAY, zone).format(new Date(at));
export const fullDay = (at: string, zone: string) => dateFormat(FULL_DAY, zone).format(new Date(at));

/** `horário de Brasília` */
export function zoneName(zone: string): string {
  const parts = dateFormat({ timeZoneName: 'longGeneric' }, zone).formatToParts();
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  return name.replace('Horário Padrão', 'horário').replace('Horário', 'horário');
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

export const trainer = ({ nome, texto }: { nome: string; texto: string | null }, line: string) =>
  html`<header class="who">
      <span class="initials" aria-hidden="true">${initials(nome)}</span>
      <div>
        <h1>${nome}</h1>
        <p class="dim">${line}</p>
      </div>
    </header>
    ${texto !== null && html`<p class="text">${texto}</p>`}`;

/** The fields for the visitor's name and contact. */
export const whoFields = html`<div class="fields">
  <label>Nome<input name="nome" autocomplete="name" maxlength="80" required /></label>
  <label
    >WhatsApp<input
      name="whatsapp"
      type="tel"
      inputmode="tel"
      autocomplete="tel-national"
      maxlength="24"
      placeholder="(11) 91234-5678"
      required
  /></label>
  <label
    >E-mail <span class="dim">(opcional)</span
    ><input name="email" type="email" inputmode="email" autocomplete="email" maxlength="254"
  /></label>
  <label class="trap" aria-hidden="true">Site<input name="site" tabindex="-1" autocomplete="off" /></label>
  <label class="check"
    ><input type="checkbox" name="consentimento" value="${CONSENT_VERSION}" required /><span
      >${consents[CONSENT_VERSION]}</span
    ></label
  >
</div>`;
