import { html, type Html } from '../../platform/http/html.js';
import { document, fact, heading, mapLink } from '../../platform/http/pages/shell.html.js';
import { firstName, weekdayAndTime, zoneName } from '../../platform/portuguese.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import type { Confirmation } from './confirmations.queries.js';

interface Shown {
  lesson: Confirmation;
  token: string;
  siteUrl: string;
}

/** The page of a reminder's link: readable without a script, which is only needed to confirm. */
export function confirmPage({ lesson, token, siteUrl }: Shown): string {
  const { title, description, body } = partsOf(lesson, token);
  return document({ title, description, site: siteUrl }, html`<main>${body}</main>`);
}

const whenOf = ({ inicio, timezone }: Confirmation) => weekdayAndTime(inicio, timezone);

/** A preview tells no more than the page. */
function partsOf(lesson: Confirmation, token: string) {
  const { personal, situacao, pedido, local } = lesson;
  if (situacao === 'remarcada') {
    const title = 'Esta aula mudou de horário';
    const description = `Era ${weekdayAndTime(lesson.anunciada, lesson.timezone)}.`;
    return {
      title,
      description,
      body: html`${state(title, description)} ${placeAndTime(lesson)} ${cannot(lesson)}`,
    };
  }
  if (situacao === 'desmarcada')
    return over(lesson, 'Esta aula foi desmarcada', `Para marcar outra, fale com ${personal}.`);
  if (situacao === 'encerrada') return over(lesson, 'Esta aula já começou', 'O link de confirmação expirou.');
  const isConfirmed = situacao === 'confirmada' && pedido === null;
  const when = whenOf(lesson);
  return {
    title: isConfirmed ? `Presença confirmada · ${personal}` : `${personal} · Aula de ${when}`,
    description: [isConfirmed ? when : pedido === null && 'Confirmar presença', local?.nome]
      .filter(Boolean)
      .join(' · '),
    body: coming(lesson, token, isConfirmed),
  };
}

const over = (lesson: Confirmation, title: string, description: string) => ({
  title,
  description,
  body: html`${state(title, description)}
  ${toTrainer(lesson, `Falar com ${firstName(lesson.personal)}`, `Qual é o horário da minha próxima aula?`)}`,
});

const state = (title: string, line: string) =>
  html`<div class="state">
    <h1>${title}</h1>
    <p class="dim">${line}</p>
  </div>`;

const placeAndTime = (lesson: Confirmation) =>
  html`<dl class="card facts">
    ${fact(
      'Quando',
      html`<time datetime="${lesson.inicio}">${whenOf(lesson)}</time>`,
      zoneName(lesson.timezone),
    )}
    ${lesson.local ? placeOf(lesson.local) : lesson.chamada !== null && fact('Onde', html`Online<span class="small"><a href="${lesson.chamada}" rel="noopener noreferrer">Abrir a chamada</a></span>`)}
  </dl>`;

const cannot = (lesson: Confirmation) =>
  html`<h2>Não vai poder ir?</h2>
    ${tellTrainer(lesson)}`;

const tellTrainer = (lesson: Confirmation) =>
  toTrainer(
    lesson,
    `Avisar ${firstName(lesson.personal)} pelo WhatsApp`,
    `Não vou conseguir ir à aula de ${whenOf(lesson)}. Podemos remarcar?`,
  );

function coming(lesson: Confirmation, token: string, isConfirmed: boolean): Html {
  const { personal, pedido } = lesson;
  return html`${heading(personal, `Sua aula com ${personal}`, 'Lembrete')} ${placeAndTime(lesson)}
    ${
      !isConfirmed &&
      html`<form id="confirm" data-token="${token}" novalidate>
        ${pedido !== null && html`<p class="notice">Você pediu para ${pedido}. A aula continua agendada até seu personal responder.</p>`}
        <button type="submit" class="button full${pedido === null ? '' : ' quiet'}" disabled>
          ${pedido === null ? 'Confirmar presença' : 'Vou, sim'}
        </button>
        <noscript><p class="notice">Para confirmar, ative o JavaScript deste navegador.</p></noscript>
      </form>`
    }
    <p id="done" class="notice" tabindex="-1" ${isConfirmed ? null : html`hidden`}>Presença confirmada</p>
    <div id="said" role="alert"></div>
    ${pedido === null ? cannot(lesson) : tellTrainer(lesson)}`;
}

const placeOf = (place: NonNullable<Confirmation['local']>) =>
  fact(
    'Onde',
    place.endereco === null ? place.nome : html`${place.nome}<span class="small">${mapLink(place)}</span>`,
  );

/** Without the trainer's number, WhatsApp asks whom to write to. */
const toTrainer = (lesson: Confirmation, label: string, text: string) =>
  html`<a
    class="button quiet full"
    href="${whatsAppAddress(lesson.whatsapp, `Oi, ${firstName(lesson.personal)}! ${text}`)}"
    rel="noopener noreferrer"
    >${label}</a
  >`;
