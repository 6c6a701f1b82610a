import { html, type Html } from '../../platform/http/html.js';
import { plural } from '../../platform/plural.api.js';
import { dateOf } from '../../platform/local-time.js';
import { brl, firstName, timeOf, weekdayAndTime, zoneName } from '../../platform/portuguese.js';
import type { Offered } from '../services/service.js';
import { offeredStarts, partAt, periodOf } from './public.slots.js';
import {
  CONSENT_VERSION,
  PAID_CONSENT_VERSION,
  type PublicLocation,
  type PublicPage,
  type SlotQuery,
} from './public-page.api.js';
import { byPix, claim } from '../charges/payment-ways.queries.js';
import type { PaymentPage } from '../charges/payment-page.api.js';
import { feeOf } from '../agenda/cancellation.js';
import { shownPage, waysOut, type FoundPage, type FoundVisit } from './public-page.queries.js';
import { LAPSE_HOURS } from './visitor-demand.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import { googleCalendarOf } from './visit-calendar.ics.js';
import { document, fact, heading, mapLink } from '../../platform/http/pages/shell.html.js';
import {
  dayPart,
  doorData,
  doorRules,
  fullDay,
  partNames,
  weekday,
  whoFields,
} from './visitor-shell.html.js';
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

/** An address with what is chosen: the service, unless it is the first, and what more. */
export function addressOf(path: string, { service, services }: FoundPage, more = ''): string {
  const chosen = service.id === services[0]!.id ? '' : `servico=${service.id}`;
  const query = [chosen, more].filter(Boolean).join('&');
  return query === '' ? path : `${path}?${query}`;
}

/** "Avaliação · 30 min · R$ 150,00" */
const serviceInWords = ({ nome, duracao_min, valor }: Offered): string =>
  nome === null
    ? `Aulas de ${duracao_min}\u00a0min`
    : [nome, `${duracao_min}\u00a0min`, valor !== null && (valor === 0 ? 'grátis' : brl(valor))]
        .filter(Boolean)
        .join(' · ');

/** The services to choose from, each a link to the page with its times. */
const servicesOf = (found: FoundPage, path: string): Html | false =>
  found.services.length > 1 &&
  html`<h2>Escolha o serviço</h2>
    <nav class="chips" aria-label="Serviço">
      ${found.services.map(
        (service) =>
          html`<a
            class="chip"
            href="${addressOf(path, { ...found, service })}"
            ${service.id === found.service.id ? html`aria-current="true"` : null}
            >${serviceInWords(service)}</a
          > `,
      )}
    </nav>`;

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
  const to = (place: PublicLocation, more?: string) => addressOf(pathOf(slug, place), found, more);
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
      site: siteUrl,
      path: `/p/${slug}`,
      isIndexed: found.settings.indexavel,
    },
    html`<main data-trainer="${slug}">
      ${heading(nome, nome, [introduced(page), found.services.length === 1 && serviceInWords(found.service)].filter(Boolean).join(' · '))}
      ${page.texto !== null && html`<p class="text">${page.texto}</p>`} ${servicesOf(found, `/p/${slug}`)}
      <h2>Escolha o local</h2>
      ${(locais.length === 0 || horarios.length === 0) && html`<p class="notice">${nothing}</p>`}
      <ul class="places">
        ${locais.map(
          (place) =>
            html`<li class="card">
              <a class="place" href="${to(place)}"
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
                          href="${to(place, `em=${inicio}`)}"
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
function strip({ starts, fuso }: Times, open: string, to: (more: string) => string): Html | null {
  const days = byDay(starts, (start) => dateOf(start, fuso));
  if (days.length < 2) return null;
  return html`<nav class="strip" id="strip" aria-label="Dia">
    ${days.map(([date, [first]]) => {
      const [name, number, month] = ['weekday', 'day', 'month'].map((part) => dayPart(first!, fuso, part));
      return html`<a
        href="${to(`dia=${date}`)}"
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
  found: FoundPage,
  place: string | null,
  path: string,
  current: DayPart | 'todos' | null,
): Html | null {
  const { settings, timezone, at } = found;
  const { bookable, starts } = at(place);
  if (bookable.length === starts.length) return null;
  const there = new Set(bookable.map((start) => partAt(start, timezone)));
  const parts = partNames.filter(([part]) => there.has(part));
  const link = (which: DayPart | 'todos', words: string) => {
    return which === current
      ? html`<a class="chip" href="${addressOf(path, found)}" aria-current="true">${words}</a> `
      : html`<a class="chip" href="${addressOf(path, found, queryOf(which))}">${words}</a> `;
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
  ${strip({ starts, fuso }, open, (day) => addressOf(path, found, [current && queryOf(current), day].filter(Boolean).join('&')))}
  ${times({ starts, fuso }, chosen, open)}`;
}

/** Of a time that was chosen before and is not free any more: the nearest ones, as where it is taken while booking. */
const gone = (found: FoundPage, place: string | null, wished: number, path: string): Html =>
  html`<p class="notice" id="gone">
    Este horário não está mais livre. Os horários livres mais próximos:
    <span class="ways-out"
      >${waysOut(found, wished, place).map(
        ({ inicio }) =>
          html`<a class="chip" href="${addressOf(path, found, `em=${inicio}`)}"
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
  const first = firstName(nome);
  const path = isOnly ? `/p/${slug}` : pathOf(slug, place);
  const free = choosing(found, place.id, query, path);
  const door = found.door(place.id);
  const words = `Escolha o dia e o horário da sua aula de ${duracao_min} minutos.`;
  return document(
    {
      title: isOnly ? `Agende com ${nome}` : `Agende com ${nome} · ${place.nome}`,
      description: isOnly ? described(page, words) : words,
      site: siteUrl,
      path,
      isIndexed: found.settings.indexavel,
    },
    html`<main data-trainer="${slug}">
      ${!isOnly && html`<a class="back" href="${addressOf(`/p/${slug}`, found)}">‹ Outros locais</a>`}
      ${heading(
        nome,
        nome,
        html`${place.nome}${place.endereco !== null && html` · ${mapLink(place)}`}${about !== '' && html`<br />${about}`}`,
      )}
      ${isOnly && texto !== null && html`<p class="text">${texto}</p>`} ${isOnly && servicesOf(found, path)}
      ${
        free
          ? html`<form
              id="booking"
              method="post"
              data-slug="${slug}"
              data-place="${place.id}"
              data-service="${found.service.id ?? ''}"
              data-zone="${fuso}"
              data-notice="${settings.antecedencia_min}"
              data-door="${doorData(door)}"
              novalidate
            >
              <h2>Escolha o horário</h2>
              <p class="dim small">${serviceInWords(found.service)}. Fuso: ${zoneName(fuso)}.</p>
              ${free} ${doorRules(door, nome)}
              <h2>Seus dados</h2>
              ${whoFields(door ? PAID_CONSENT_VERSION : CONSENT_VERSION)}
              <p class="dim small">
                ${first} confirma em até ${LAPSE_HOURS} horas; sem confirmação, a reserva é cancelada. Para
                uma aula antes disso, combine com ${first}. O link da reserva fica guardado neste aparelho até
                a aula.
                ${door ? 'Você cancela pelo link da reserva' : 'Cancelar pelo link da reserva é sem custo'}
                <span id="free">${freeUntil(settings.antecedencia_min)}</span>.
              </p>
              <div id="said" role="alert"></div>
              <noscript><p class="notice">Para agendar, ative o JavaScript deste navegador.</p></noscript>
              ${chosenBar(door && door.entrada > 0 ? 'Agendar e pagar' : 'Agendar')}
            </form>`
          : html`<p class="notice">Nenhum horário livre nos próximos dias.</p>`
      }
      <p>
        <a class="back" href="${addressOf(`${pathOf(slug, place)}/espera`, found)}"
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
  unpaid: {
    title: 'Reserva não paga',
    line: 'O Pix não chegou a tempo, e o horário ficou livre. Se você pagar ou já pagou depois do prazo, a reserva volta se o horário ainda estiver livre; senão, o valor é devolvido.',
  },
  cancelled: { title: 'Reserva cancelada', line: 'Este horário não está mais reservado para você.' },
};

function stateOf(visit: FoundVisit, isComing: boolean) {
  const { status, confirmado, vence_em, venceu, timezone, cobranca, porta, personal } = visit;
  if (status === 'cancelada') {
    const wasUnpaid = cobranca?.status === 'cancelada' && cobranca.devolvido === 0;
    return venceu ? (wasUnpaid ? states.unpaid : states.lapsed) : states.cancelled;
  }
  if (status === 'feita') return states.done;
  if (confirmado) return states.confirmed;
  if (!isComing) return states.unanswered;
  const { title, line } = states.waiting;
  const until = vence_em === null ? null : `${fullDay(vence_em, timezone)}, ${timeOf(vence_em, timezone)}`;
  if (visit.pedido > 0) {
    const pay = `Pague ${brl(visit.pedido)} por Pix`;
    const checked = `${pay}: ${firstName(personal)} confere o pagamento e confirma`;
    const held =
      porta?.espera_min === null
        ? until === null
          ? `${checked} a reserva.`
          : `${checked} até ${until}. Sem isso, a reserva é cancelada.`
        : until === null
          ? `${pay} para garantir o horário.`
          : `${pay} até ${until}. Depois disso o horário fica livre para outra pessoa.`;
    return { title: 'Falta o Pix', line: held };
  }
  const end =
    until === null
      ? ''
      : ` Sem confirmação até ${until}, a reserva é cancelada${cobranca ? ' e o valor é devolvido' : ''}.`;
  return { title, line: `${cobranca ? 'Pagamento recebido. ' : ''}${line}${end}` };
}

/** What was paid, what is left, and what goes back. */
function money({ cobranca, personal }: FoundVisit, payToken: string | null): Html | null {
  if (!cobranca) return null;
  const { status, valor, pago, entrada, devolver, devolvido } = cobranca;
  const rest = status === 'aberta' && pago >= entrada ? valor - pago : 0;
  return html`${pago - devolver > 0 && fact('Pago', brl(pago - devolver))}
  ${rest > 0 && fact('Falta pagar', html`${brl(rest)} · <a href="/pagar/${payToken}">Pagar agora</a>`)}
  ${devolver > 0 && fact('A receber de volta', brl(devolver), `${personal} faz a devolução`)}
  ${devolvido > 0 && fact('Devolvido', brl(devolvido))}`;
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
  /** How to pay what is asked first; null where nothing is. */
  pay: PaymentPage | null;
  /** Of the page of its charge. */
  payToken: string | null;
  now: Date;
  siteUrl: string;
}

/** A booking, for the holder of its link. */
export async function visitPage(shown: VisitShown): Promise<string> {
  const { visit, token, isComing, isOpen, page, query, pay, payToken, now, siteUrl } = shown;
  const { slug, personal, inicio, fim, timezone, location, servico, nome, whatsapp, status, mensagem } =
    visit;
  const { title, line } = stateOf(visit, isComing);
  const path = `/p/reserva/${token}`;
  // Whose answer to the moving was lost reloads with the time in the address, which is the booking's now.
  const wish = typeof query.em === 'string' && Date.parse(query.em) === Date.parse(inicio) ? {} : query;
  const day = fullDay(inicio, timezone);
  const hours = `${timeOf(inicio, timezone)}–${timeOf(fim, timezone)}`;
  const greeting = `Oi, ${firstName(personal)}! Sou ${nome}. Agendei pelo link: ${day}, ${hours}.`;
  return document(
    { title: `${title} · ${personal}`, description: line, site: siteUrl, path: `/p/${slug}` },
    html`<main
      data-trainer="${slug}"
      data-visit="${token}"
      data-start="${inicio}"
      data-zone="${timezone}"
      ${isComing ? html`data-coming` : null}
      ${pay && html`class="payment${pay.pix && ' wide'}" data-token="${payToken}" data-version="${pay.versao}" data-page="${path}"`}
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
          servico !== null &&
          html`<div>
            <dt>Serviço</dt>
            <dd>${servico}</dd>
          </div>`
        }
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
        ${money(visit, payToken)}
      </dl>
      ${pay && (await paying(pay))}
      <div class="ways">
        ${!isComing && html`<a class="button" href="/p/${slug}">Escolher outro horário</a>`}
        ${whatsapp !== null && html`<a class="button${isComing && !pay ? '' : ' quiet'}" href="${whatsAppAddress(whatsapp, greeting)}" rel="noopener noreferrer">Falar no WhatsApp</a>`}
      </div>
      ${isComing && !pay && keeping(visit, path, siteUrl)}
      ${
        isComing &&
        (isOpen
          ? changes(visit, token, page && choosing(page, location?.id ?? null, wish, path), {
              query: wish,
              now,
              pay,
            })
          : html`<p class="notice">Para remarcar ou cancelar, fale com o personal.</p>`)
      }
      ${isComing && html`<p class="dim small">Guarde o link desta página para ver${isOpen ? ', remarcar ou cancelar' : null} a reserva.</p>`}
    </main>`,
  );
}

/** What is to be paid first; the page is written anew when it arrives. */
async function paying(pay: PaymentPage): Promise<Html> {
  if (pay.pix) return byPix(pay.pix, pay);
  return html`<p class="notice">Combine a forma de pagamento com ${pay.personal}.</p>
    ${claim(pay)}`;
}

/** What cancelling costs who paid, once the trainer has confirmed and the time for it is over. */
const costNow = (
  { confirmado, cobranca, porta, inicio }: Pick<FoundVisit, 'confirmado' | 'cobranca' | 'porta' | 'inicio'>,
  now: Date,
): number =>
  confirmado &&
  cobranca &&
  cobranca.pago > 0 &&
  porta &&
  Date.parse(inicio) - now.getTime() < porta.limite_horas * 3_600_000
    ? feeOf(porta.fora_percent, porta.preco)
    : 0;

function cancelWords({ cobranca }: FoundVisit, cost: number): string {
  const pago = cobranca?.pago ?? 0;
  if (pago === 0) return 'Não custa nada. O horário fica livre para outra pessoa.';
  if (cost === 0) return `Não custa nada: ${brl(pago)} voltam para você.`;
  const rest = pago - cost;
  return `Cancelar agora custa ${brl(cost)}${rest > 0 ? `: ${brl(rest)} voltam para você` : rest < 0 ? `: faltam ${brl(-rest)}` : ', que você já pagou'}.`;
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
  visit: FoundVisit,
  token: string,
  free: Html | null | undefined,
  { query, now, pay }: Pick<VisitShown, 'query' | 'now' | 'pay'>,
): Html {
  const { personal, inicio, timezone, antecedencia_min, porta, cobranca } = visit;
  const cost = costNow(visit, now);
  const isFree = !porta || porta.fora_percent === 0;
  const costsFrom = porta && new Date(Date.parse(inicio) - porta.limite_horas * 3_600_000);
  const end = new Date(Date.parse(inicio) - antecedencia_min * 60_000);
  // Whoever follows a link to other times goes on choosing.
  const isChoosing = Object.values(query).some((wish) => wish !== undefined);
  return html`<section id="changes" data-token="${token}" data-zone="${timezone}">
    <p>
      Você pode ${cost === 0 ? 'remarcar ou ' : null}cancelar aqui${isFree && ', sem custo,'} até
      ${antecedencia_min === 0 ? 'o início da aula' : weekdayAndTime(end, timezone)}.
      ${!isFree && cobranca && cobranca.pago > 0 && costsFrom! > now && costsFrom! < end && html`Cancelar não custa nada até ${weekdayAndTime(costsFrom!, timezone)}; depois, com a aula confirmada, custa ${brl(feeOf(porta.fora_percent, porta.preco))}.`}
    </p>
    ${
      free &&
      cost === 0 &&
      html`<details ${isChoosing ? html`open` : null}>
        <summary>Remarcar</summary>
        <form id="move" novalidate>
          ${free}
          <p class="dim small">Depois, ${firstName(personal)} precisa confirmar o novo horário.</p>
          ${chosenBar('Remarcar')}
        </form>
      </details>`
    }
    <details>
      <summary>Cancelar a reserva</summary>
      <form id="cancel" data-cost="${cost}" novalidate>
        <p class="dim">${cancelWords(visit, cost)}</p>
        <button type="submit" class="danger" disabled>Cancelar a reserva</button>
      </form>
    </details>
    ${!pay && html`<div id="said" role="alert"></div>`}
    <noscript><p class="notice">Para remarcar ou cancelar, ative o JavaScript deste navegador.</p></noscript>
  </section>`;
}
