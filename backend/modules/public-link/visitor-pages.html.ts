import { html, type Html } from '../../platform/http/html.js';
import { plural } from '../../platform/plural.api.js';
import { timeOf, zoneName } from '../../platform/portuguese.js';
import type { PublicLocation } from './public-page.api.js';
import { shownPage, type FoundPage, type FoundVisit } from './public-page.queries.js';
import { LAPSE_HOURS } from './visitor-demand.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import { document, heading } from '../../platform/http/pages/shell.html.js';
import { fullDay, weekday, whoFields } from './visitor-shell.html.js';

/** Pages for visitors, rendered by the server: readable without a script, which is only needed to send forms. */

export const pathOf = (slug: string, { id }: PublicLocation) => `/p/${slug}/${id}`;

const SHOWN_AHEAD = 3;

/** Times in order, grouped by day. */
function byDay(
  starts: readonly string[],
  words: (start: string) => string,
): [day: string, starts: string[]][] {
  const days = new Map<string, string[]>();
  for (const start of starts) {
    const day = words(start);
    days.set(day, [...(days.get(day) ?? []), start]);
  }
  return [...days];
}

/** The trainer and the locations, each with its next free times. */
export function trainerPage(found: FoundPage, siteUrl: string): string {
  const page = shownPage(found);
  const { slug, nome, locais, horarios, fuso, duracao_min } = page;
  const nextAt = (place: PublicLocation) =>
    byDay(
      found
        .at(place.id)
        .starts.slice(0, SHOWN_AHEAD)
        .map((start) => new Date(start).toISOString()),
      (start) => weekday(start, fuso),
    );
  const nothing =
    locais.length === 0
      ? 'Nenhum local disponível para agendamento no momento.'
      : 'Nenhum horário livre nos próximos dias. Volte mais tarde.';
  return document(
    {
      title: `Agende com ${nome}`,
      description: page.texto ?? `Escolha o local e o horário da sua aula de ${duracao_min} minutos.`,
      ...{ site: siteUrl, path: `/p/${slug}` },
      isIndexed: found.settings.indexavel,
    },
    html`<main>
      ${heading(nome, nome, `Aulas de ${duracao_min} min`)}
      ${page.texto !== null && html`<p class="text">${page.texto}</p>`}
      <h2>Escolha o local</h2>
      ${(locais.length === 0 || horarios.length === 0) && html`<p class="notice">${nothing}</p>`}
      <ul class="places">
        ${locais.map(
          (place) =>
            html`<li class="card">
              <a class="place" href="${pathOf(slug, place)}"
                ><strong>${place.nome}</strong
                >${place.endereco !== null && html`<span class="dim">${place.endereco}</span>`}<span
                  class="go"
                  aria-hidden="true"
                  >›</span
                ></a
              >
              ${nextAt(place).map(
                ([day, starts]) =>
                  html`<p class="next">
                    <span class="dim">${day}</span> ${starts.map(
                      (inicio) =>
                        html`<a
                          class="chip"
                          href="${pathOf(slug, place)}?em=${inicio}"
                          aria-label="${day}, ${timeOf(inicio, fuso)}"
                          ><time datetime="${inicio}">${timeOf(inicio, fuso)}</time></a
                        > `,
                    )}
                  </p>`,
              )}
            </li>`,
        )}
      </ul>
      <p class="dim small">Fuso: ${zoneName(fuso)}.</p>
    </main>`,
  );
}

function times(
  page: { horarios: readonly { inicio: string }[]; fuso: string },
  chosen: string | undefined,
): Html {
  const { horarios, fuso } = page;
  const starts = horarios.map(({ inicio }) => inicio);
  return html`<div class="days">
    ${byDay(starts, (start) => fullDay(start, fuso)).map(
      ([day, ofDay]) =>
        html`<fieldset>
          <legend>${day}</legend>
          <div class="slots">
            ${ofDay.map(
              (inicio) =>
                html`<label class="slot"
                  ><input
                    type="radio"
                    name="inicio"
                    value="${inicio}"
                    required${chosen === inicio ? html` checked` : null}
                  /><span>${timeOf(inicio, fuso)}</span></label
                >`,
            )}
          </div>
        </fieldset>`,
    )}
  </div>`;
}

/** The free times of a location by day, and the fields for the visitor. */
export function locationPage(
  found: FoundPage,
  place: PublicLocation,
  chosen: string | undefined,
  siteUrl: string,
): string {
  // A time chosen by a link may be one that the page does not list.
  const linked = Date.parse(chosen ?? '');
  const { bookable, starts: offered } = found.at(place.id);
  const isMore = bookable.includes(linked) && !offered.includes(linked);
  const starts = isMore ? [...offered, linked].toSorted((one, other) => one - other) : offered;
  const page = shownPage({ ...found, starts });
  const { slug, nome, horarios, fuso, duracao_min, locais } = page;
  const isThere = horarios.length > 0;
  return document(
    {
      title: `Agende com ${nome} · ${place.nome}`,
      description: `Escolha o dia e o horário da sua aula de ${duracao_min} minutos.`,
      ...{ site: siteUrl, path: pathOf(slug, place) },
      isIndexed: found.settings.indexavel,
    },
    html`<main>
      ${locais.length > 1 && html`<a class="back" href="/p/${slug}">‹ Outros locais</a>`}
      ${heading(nome, nome, [place.nome, place.endereco].filter(Boolean).join(' · '))}
      ${
        isThere
          ? html`<form
              id="booking"
              method="post"
              data-slug="${slug}"
              data-place="${place.id}"
              data-zone="${fuso}"
              novalidate
            >
              <h2>Escolha o horário</h2>
              <p class="dim small">Aulas de ${duracao_min} min. Fuso: ${zoneName(fuso)}.</p>
              ${times(page, chosen)}
              <h2>Seus dados</h2>
              ${whoFields}
              <p class="dim small">
                O personal confirma em até ${LAPSE_HOURS} horas. Sem confirmação, a reserva é cancelada.
              </p>
              <div id="said" role="alert"></div>
              <noscript><p class="notice">Para agendar, ative o JavaScript deste navegador.</p></noscript>
              <div class="bar">
                <p id="chosen" class="dim" aria-live="polite">Escolha um horário</p>
                <button type="submit" disabled>Agendar</button>
              </div>
            </form>`
          : html`<p class="notice">Nenhum horário livre nos próximos dias.</p>`
      }
      <p>
        <a class="back" href="${pathOf(slug, place)}/espera"
          >Nenhum horário serve? Entre na lista de espera</a
        >
      </p>
    </main>`,
  );
}

const states = {
  waiting: { title: 'Horário reservado', line: 'Aguardando a confirmação do personal.' },
  confirmed: { title: 'Horário confirmado', line: 'Está tudo certo para a sua aula.' },
  done: { title: 'Aula realizada', line: 'Esta aula já aconteceu.' },
  lapsed: {
    title: 'Reserva não confirmada',
    line: 'O personal não confirmou a tempo, e a reserva foi cancelada.',
  },
  cancelled: { title: 'Reserva cancelada', line: 'Este horário não está mais reservado para você.' },
};

function stateOf({ status, confirmado, vence_em, venceu, timezone }: FoundVisit) {
  if (status === 'cancelada') return venceu ? states.lapsed : states.cancelled;
  if (status === 'feita') return states.done;
  if (confirmado) return states.confirmed;
  const { title, line } = states.waiting;
  const end =
    vence_em === null
      ? ''
      : ` Sem confirmação até ${fullDay(vence_em, timezone)}, ${timeOf(vence_em, timezone)}, a reserva é cancelada.`;
  return { title, line: `${line}${end}` };
}

interface VisitShown {
  visit: FoundVisit;
  token: string;
  /** Whether it can still be changed. */
  isOpen: boolean;
  /** Times to move to; undefined while the page is switched off. */
  page: FoundPage | undefined;
  siteUrl: string;
}

/** A booking, for the holder of its link. */
export function visitPage({ visit, token, isOpen, page, siteUrl }: VisitShown): string {
  const { personal, inicio, fim, timezone, location, nome, whatsapp, status, mensagem } = visit;
  const { title, line } = stateOf(visit);
  const path = `/p/reserva/${token}`;
  const day = fullDay(inicio, timezone);
  const hours = `${timeOf(inicio, timezone)}–${timeOf(fim, timezone)}`;
  const greeting = `Oi, ${personal.split(' ')[0]}! Sou ${nome}. Agendei pelo link: ${day}, ${hours}.`;
  const isComing = status === 'agendada';
  return document(
    {
      title: `${title} · ${personal}`,
      description: line,
      ...{ site: siteUrl, path: `/p/${visit.slug}` },
    },
    html`<main>
      <div class="state ${status}">
        <h1>${title}</h1>
        <p class="dim">${line}</p>
      </div>
      ${mensagem !== null && status === 'cancelada' && html`<p class="notice text">Mensagem de ${personal}: “${mensagem}”</p>`}
      <dl class="card facts">
        <div>
          <dt>Quando</dt>
          <dd>
            <time datetime="${inicio}">${day}, <span class="whole">${hours}</span></time
            ><span class="dim small">${zoneName(timezone)}</span>
          </dd>
        </div>
        ${
          location !== null &&
          html`<div>
            <dt>Onde</dt>
            <dd>
              ${location.nome}${location.endereco !== null && html`<span class="dim small">${location.endereco}</span>`}
            </dd>
          </div>`
        }
        <div>
          <dt>Personal</dt>
          <dd>${personal}</dd>
        </div>
        <div>
          <dt>Nome</dt>
          <dd>${nome}</dd>
        </div>
      </dl>
      <div class="ways">
        ${isComing && html`<a class="button" href="${path}/agenda.ics" download="aula.ics">Adicionar à agenda</a>`}
        ${!isComing && html`<a class="button" href="/p/${visit.slug}">Escolher outro horário</a>`}
        ${whatsapp !== null && html`<a class="button quiet" href="${whatsAppAddress(whatsapp, greeting)}" rel="noopener noreferrer">Falar no WhatsApp</a>`}
      </div>
      ${
        isComing &&
        (isOpen
          ? changes(page, visit, token)
          : html`<p class="notice">Para remarcar ou cancelar, fale com o personal.</p>`)
      }
      ${isComing && html`<p class="dim small">Guarde o link desta página para ver${isOpen ? ', remarcar ou cancelar' : null} a reserva.</p>`}
    </main>`,
  );
}

function changes(
  page: FoundPage | undefined,
  { inicio, location, timezone }: FoundVisit,
  token: string,
): Html {
  const shown = page && shownPage({ ...page, starts: page.at(location?.id ?? null).starts });
  const free = shown && { ...shown, horarios: shown.horarios.filter((slot) => slot.inicio !== inicio) };
  return html`<section id="changes" data-token="${token}" data-zone="${timezone}">
    ${
      free !== undefined &&
      free.horarios.length > 0 &&
      html`<details>
        <summary>Remarcar</summary>
        <form id="move" novalidate>
          <p class="dim small">${plural(free.horarios.length, 'horário livre', 'horários livres')}</p>
          ${times(free, undefined)}
          <button type="submit" disabled>Remarcar</button>
        </form>
      </details>`
    }
    <details>
      <summary>Cancelar a reserva</summary>
      <form id="cancel" novalidate>
        <p class="dim">O horário fica livre para outra pessoa.</p>
        <button type="submit" class="danger" disabled>Cancelar a reserva</button>
      </form>
    </details>
    <div id="said" role="alert"></div>
    <noscript><p class="notice">Para remarcar ou cancelar, ative o JavaScript deste navegador.</p></noscript>
  </section>`;
}
