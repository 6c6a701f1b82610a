import { html, type Html } from '../../platform/http/html.js';
import { plural } from '../../platform/plural.api.js';
import { dateOf } from '../../platform/local-time.js';
import { brl, timeOf, weekdayAndTime, zoneName } from '../../platform/portuguese.js';
import { offeredStarts, partAt, periodOf } from './public.slots.js';
import type { PublicLocation, PublicPage, SlotQuery } from './public-page.api.js';
import { shownPage, waysOut, type FoundPage, type FoundVisit } from './public-page.queries.js';
import { LAPSE_HOURS } from './visitor-demand.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import { googleCalendarOf } from './visit-calendar.ics.js';
import { document, heading, mapLink } from '../../platform/http/pages/shell.html.js';
import { dayPart, fullDay, partNames, weekday, whoFields } from './visitor-shell.html.js';
import { type DayPart, dayParts } from './waitlist.api.js';

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

/** What the page says of the trainer, where the trainer wishes so. */
const introduced = ({ cref, primeira_aula }: PublicPage): string =>
  [
    cref !== null && `CREF ${cref}`,
    primeira_aula !== null && `Primeira aula ${primeira_aula === 0 ? 'grátis' : `por ${brl(primeira_aula)}`}`,
  ]
    .filter(Boolean)
    .join(' · ');

/** The description for previews. */
const described = (page: PublicPage, words: string): string =>
  [introduced(page), page.texto ?? words].filter(Boolean).join('. ');

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
      description: described(page, `Escolha o local e o horário da sua aula de ${duracao_min} minutos.`),
      ...{ site: siteUrl, path: `/p/${slug}` },
      isIndexed: found.settings.indexavel,
    },
    html`<main data-trainer="${slug}">
      ${heading(nome, nome, [introduced(page), `Aulas de ${duracao_min}\u00a0min`].filter(Boolean).join(' · '))}
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
              ${place.endereco !== null && html`<p class="next">${mapLink(place, 'Ver no mapa')}</p>`}
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

/** Days with their times, of which one is shown. */
function times({ starts, fuso }: Times, chosen: string | undefined, open: string): Html {
  return html`<div class="days">
    ${byDay(starts, (start) => dateOf(start, fuso)).map(
      ([date, ofDay]) =>
        html`<fieldset data-day="${date}" ${open !== date ? html`hidden` : null}>
          <legend>${fullDay(ofDay[0]!, fuso)}</legend>
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

interface Times {
  starts: readonly string[];
  fuso: string;
}

/** The days as links, each to the page with its times; the script shows them without loading a page. */
function strip({ starts, fuso }: Times, open: string, path: string, query: string): Html | null {
  const days = byDay(starts, (start) => dateOf(start, fuso));
  if (days.length < 2) return null;
  return html`<nav class="strip" id="strip" aria-label="Dia">
    ${days.map(([date, [first]]) => {
      const [name, number, month] = ['weekday', 'day', 'month'].map((part) => dayPart(first!, fuso, part));
      return html`<a
        href="${path}?${query}dia=${date}"
        data-day="${date}"
        ${date === open ? html`aria-current="true"` : null}
        ><small>${name}</small> <b>${number}</b> <small>${month}</small></a
      > `;
    })}
  </nav>`;
}

const queryOf = (which: DayPart | 'todos') => (which === 'todos' ? 'todos=1' : `periodo=${which}`);

/** Links to the times of a part of the day, and to all times, where not all are shown at once. */
function choices(
  { settings, timezone, at }: FoundPage,
  place: string | null,
  path: string,
  current: DayPart | 'todos' | null,
): Html | null {
  const { bookable, starts } = at(place);
  if (bookable.length === starts.length) return null;
  const there = new Set(bookable.map((start) => partAt(start, timezone)));
  const parts = partNames.filter(([part]) => there.has(part));
  const link = (which: DayPart | 'todos', words: string) => {
    return which === current
      ? html`<a class="chip" href="${path}" aria-current="true">${words}</a> `
      : html`<a class="chip" href="${path}?${queryOf(which)}">${words}</a> `;
  };
  return html`<nav class="chips" aria-label="Período">
    ${parts.map(([part, name]) => link(part, name))} ${settings.ver_todos && link('todos', 'Ver todos')}
  </nav>`;
}

/** The free times of a location to choose from, one day at a time; null without any. */
function choosing(
  found: FoundPage,
  place: string | null,
  { em, dia, periodo, todos }: SlotQuery,
  path: string,
): Html | null {
  const { settings, timezone: fuso } = found;
  const { bookable } = found.at(place);
  const wished = dayParts.find((part) => part === periodo) ?? null;
  const isAll = settings.ver_todos && todos !== undefined;
  const offered = isAll ? bookable : offeredStarts(bookable, settings, fuso, wished);
  // A time chosen before may be one that the page does not list.
  const linked = typeof em === 'string' ? Date.parse(em) : NaN;
  const isFree = bookable.includes(linked);
  const isMore = isFree && !offered.includes(linked);
  const all = isMore ? [...offered, linked].toSorted((one, other) => one - other) : offered;
  const starts = all.map((start) => periodOf(start, settings).inicio);
  const chosen = isFree ? periodOf(linked, settings).inicio : undefined;
  const days = starts.map((start) => dateOf(start, fuso));
  const wishedDay = chosen === undefined ? dia : dateOf(chosen, fuso);
  const open = days.find((day) => day === wishedDay) ?? days[0];
  if (open === undefined) return null;
  const current = isAll ? 'todos' : wished;
  return html`${!isFree && !Number.isNaN(linked) && gone(found, place, linked, path)}
  ${choices(found, place, path, current)}
  ${strip({ starts, fuso }, open, path, current ? `${queryOf(current)}&` : '')}
  ${times({ starts, fuso }, chosen, open)}`;
}

/** Of a time that was chosen before and is not free any more: the nearest ones, as where it is taken while booking. */
const gone = (found: FoundPage, place: string | null, wished: number, path: string): Html =>
  html`<p class="notice" id="gone">
    Este horário não está mais livre. Os horários livres mais próximos:
    <span class="ways-out"
      >${waysOut(found, wished, place).map(
        ({ inicio }) =>
          html`<a class="chip" href="${path}?em=${inicio}"
            >${weekday(inicio, found.timezone)}, ${timeOf(inicio, found.timezone)}</a
          > `,
      )}</span
    >
  </p>`;

/** The bar that shows the chosen time beside the button. */
const chosenBar = (label: string): Html =>
  html`<div class="bar">
    <p id="chosen" class="dim" aria-live="polite">Escolha um horário</p>
    <button type="submit" disabled>${label}</button>
  </div>`;

/** The free times of a location by day, and the fields for the visitor. */
export function locationPage(
  found: FoundPage,
  place: PublicLocation,
  query: SlotQuery,
  siteUrl: string,
): string {
  const { settings } = found;
  const page = shownPage(found);
  const { slug, nome, texto, fuso, duracao_min, locais } = page;
  const isOnly = locais.length === 1;
  const about = introduced(page);
  const first = nome.split(' ')[0];
  const path = isOnly ? `/p/${slug}` : pathOf(slug, place);
  const free = choosing(found, place.id, query, path);
  const words = `Escolha o dia e o horário da sua aula de ${duracao_min} minutos.`;
  return document(
    {
      title: isOnly ? `Agende com ${nome}` : `Agende com ${nome} · ${place.nome}`,
      description: isOnly ? described(page, words) : words,
      ...{ site: siteUrl, path },
      isIndexed: found.settings.indexavel,
    },
    html`<main data-trainer="${slug}">
      ${!isOnly && html`<a class="back" href="/p/${slug}">‹ Outros locais</a>`}
      ${heading(
        nome,
        nome,
        html`${place.nome}${place.endereco !== null && html` · ${mapLink(place)}`}${about !== '' && html`<br />${about}`}`,
      )}
      ${isOnly && texto !== null && html`<p class="text">${texto}</p>`}
      ${
        free
          ? html`<form
              id="booking"
              method="post"
              data-slug="${slug}"
              data-place="${place.id}"
              data-zone="${fuso}"
              data-notice="${settings.antecedencia_min}"
              novalidate
            >
              <h2>Escolha o horário</h2>
              <p class="dim small">Aulas de ${duracao_min}&nbsp;min. Fuso: ${zoneName(fuso)}.</p>
              ${free}
              <h2>Seus dados</h2>
              ${whoFields}
              <p class="dim small">
                ${first} confirma em até ${LAPSE_HOURS} horas; sem confirmação, a reserva é cancelada. Para
                uma aula antes disso, combine com ${first}. O link da reserva fica guardado neste aparelho até
                a aula. Cancelar pelo link da reserva é sem custo
                <span id="free">${freeUntil(settings.antecedencia_min)}</span>.
              </p>
              <div id="said" role="alert"></div>
              <noscript><p class="notice">Para agendar, ative o JavaScript deste navegador.</p></noscript>
              ${chosenBar('Agendar')}
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

/** Until when a booking can be cancelled: the script names the hour of the chosen time. */
const freeUntil = (notice: number) => {
  if (notice === 0) return 'até o início da aula';
  const [count, one, several] =
    notice % 60 === 0 ? [notice / 60, 'hora', 'horas'] : [notice, 'minuto', 'minutos'];
  return `até ${plural(count, one, several)} antes da aula`;
};

const states = {
  waiting: { title: 'Horário reservado', line: 'Aguardando a confirmação do personal.' },
  confirmed: { title: 'Horário confirmado', line: 'Está tudo certo para a sua aula.' },
  done: { title: 'Aula realizada', line: 'Esta aula já aconteceu.' },
  unanswered: {
    title: 'Horário não confirmado',
    line: 'O horário passou sem a confirmação do personal.',
  },
  lapsed: {
    title: 'Reserva não confirmada',
    line: 'O personal não confirmou a tempo, e a reserva foi cancelada.',
  },
  cancelled: { title: 'Reserva cancelada', line: 'Este horário não está mais reservado para você.' },
};

function stateOf({ status, confirmado, vence_em, venceu, timezone }: FoundVisit, isComing: boolean) {
  if (status === 'cancelada') return venceu ? states.lapsed : states.cancelled;
  if (status === 'feita') return states.done;
  if (confirmado) return states.confirmed;
  if (!isComing) return states.unanswered;
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
  /** Whether it is still to come. */
  isComing: boolean;
  /** Whether it can still be changed. */
  isOpen: boolean;
  /** Times to move to; undefined while the page is switched off. */
  page: FoundPage | undefined;
  query: SlotQuery;
  siteUrl: string;
}

/** A booking, for the holder of its link. */
export function visitPage({ visit, token, isComing, isOpen, page, query, siteUrl }: VisitShown): string {
  const { slug, personal, inicio, fim, timezone, location, nome, whatsapp, status, mensagem } = visit;
  const { title, line } = stateOf(visit, isComing);
  const path = `/p/reserva/${token}`;
  // Whose answer to the moving was lost reloads with the time in the address, which is the booking's now.
  const wish = typeof query.em === 'string' && Date.parse(query.em) === Date.parse(inicio) ? {} : query;
  const day = fullDay(inicio, timezone);
  const hours = `${timeOf(inicio, timezone)}–${timeOf(fim, timezone)}`;
  const greeting = `Oi, ${personal.split(' ')[0]}! Sou ${nome}. Agendei pelo link: ${day}, ${hours}.`;
  return document(
    {
      title: `${title} · ${personal}`,
      description: line,
      ...{ site: siteUrl, path: `/p/${slug}` },
    },
    html`<main
      data-trainer="${slug}"
      data-visit="${token}"
      data-start="${inicio}"
      data-zone="${timezone}"
      ${isComing ? html`data-coming` : null}
    >
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
              ${location.nome}${location.endereco !== null && html`<span class="small">${mapLink(location)}</span>`}
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
        ${!isComing && html`<a class="button" href="/p/${slug}">Escolher outro horário</a>`}
        ${whatsapp !== null && html`<a class="button${isComing ? '' : ' quiet'}" href="${whatsAppAddress(whatsapp, greeting)}" rel="noopener noreferrer">Falar no WhatsApp</a>`}
      </div>
      ${isComing && keeping(visit, path, siteUrl)}
      ${
        isComing &&
        (isOpen
          ? changes(visit, token, page && choosing(page, location?.id ?? null, wish, path), wish)
          : html`<p class="notice">Para remarcar ou cancelar, fale com o personal.</p>`)
      }
      ${isComing && html`<p class="dim small">Guarde o link desta página para ver${isOpen ? ', remarcar ou cancelar' : null} a reserva.</p>`}
    </main>`,
  );
}

/** Ways to keep the booking: calendars, and its link. */
function keeping(visit: FoundVisit, path: string, siteUrl: string): Html {
  const { personal, inicio, timezone } = visit;
  const link = siteUrl + path;
  const words = `Minha aula com ${personal}: ${fullDay(inicio, timezone)}, ${timeOf(inicio, timezone)}.`;
  return html`<h2>Guarde a sua aula</h2>
    <p class="chips">
      <a class="chip" href="${googleCalendarOf(visit, link)}" rel="noopener noreferrer">Google Agenda</a>
      <a class="chip" href="${path}/agenda.ics" download="aula.ics">Apple e outras agendas</a>
      <a class="chip" href="${whatsAppAddress(null, `${words} ${link}`)}" rel="noopener noreferrer"
        >Mandar para mim no WhatsApp</a
      >
      <button type="button" class="chip" id="copy" data-link="${link}" hidden>Copiar link</button>
      <button type="button" class="chip" id="share" data-link="${link}" data-words="${words}" hidden>
        Compartilhar
      </button>
    </p>`;
}

function changes(
  { personal, inicio, timezone, antecedencia_min }: FoundVisit,
  token: string,
  free: Html | null | undefined,
  query: SlotQuery,
): Html {
  const end = new Date(Date.parse(inicio) - antecedencia_min * 60_000);
  // Whoever follows a link to other times goes on choosing.
  const isChoosing = Object.values(query).some((wish) => wish !== undefined);
  return html`<section id="changes" data-token="${token}" data-zone="${timezone}">
    <p>
      Você pode remarcar ou cancelar aqui, sem custo, até
      ${antecedencia_min === 0 ? 'o início da aula' : weekdayAndTime(end, timezone)}.
    </p>
    ${
      free &&
      html`<details ${isChoosing ? html`open` : null}>
        <summary>Remarcar</summary>
        <form id="move" novalidate>
          ${free}
          <p class="dim small">Depois, ${personal.split(' ')[0]} precisa confirmar o novo horário.</p>
          ${chosenBar('Remarcar')}
        </form>
      </details>`
    }
    <details>
      <summary>Cancelar a reserva</summary>
      <form id="cancel" novalidate>
        <p class="dim">Não custa nada. O horário fica livre para outra pessoa.</p>
        <button type="submit" class="danger" disabled>Cancelar a reserva</button>
      </form>
    </details>
    <div id="said" role="alert"></div>
    <noscript><p class="notice">Para remarcar ou cancelar, ative o JavaScript deste navegador.</p></noscript>
  </section>`;
}
