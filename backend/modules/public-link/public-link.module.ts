import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { defineGuard } from '../../platform/event-store/guard.js';
import { html } from '../../platform/http/html.js';
import { DEAD_LINK, pageFailures } from '../../platform/http/pages/page-failures.html.js';
import { ListFreeStarts } from './free-starts.queries.js';
import { publicLinkApi, publicLinkErrors } from './public-link.api.js';
import { BlockVisitor, SetPublicLink, ChangeSlug, ForgetStrangers } from './public-link.commands.js';
import { publicLinkHistory } from './public-link.history.js';
import { ShowPublicLink, ListVisits, ListStrangers } from './public-link.queries.js';
import { publicLink, type PublicLinkState } from './public-link.js';
import { publicPageErrors } from './public-page.api.js';
import { PublicPageController } from './public-page.controller.js';
import { BookingAnswers, PublicPages, VisitLinks } from './public-page.queries.js';
import { TrainerPhones } from './trainer-phones.service.js';
import { visit, type VisitEvent } from './visit.js';
import {
  DeclineVisit,
  ConfirmVisit,
  BookAsVisitor,
  FollowPayment,
  CancelVisit,
  LapseVisits,
  MoveVisit,
} from './visits.commands.js';
import { waiting } from './waiting.js';
import { waitlistApi, waitlistErrors } from './waitlist.api.js';
import {
  SkipWaiting,
  MarkOffer,
  JoinWaitlist,
  LeaveWaitlist,
  NoteOfferNotMailed,
  PlayWaitlist,
  RefuseOffer,
  TakeOffer,
} from './waitlist.commands.js';
import { WaitlistController } from './waitlist.controller.js';
import { waitlistGuard } from './waitlist.guard.js';
import { waitlistHistory } from './waitlist.history.js';
import { lapseVisits, playWaitlists } from './public-link.job.js';
import { waitlistMail, WaitlistMails } from './waitlist-mails.service.js';
import { waitlistRows } from './waitlist.projection.js';
import { FindUntoldOffer, ListWaiting, WaitingLinks } from './waitlist.queries.js';
import { VisitorPagesController } from './visitor-pages.controller.js';
import { visitMail, VisitMails } from './visit-mails.service.js';
import { VisitPayments, visitPayments } from './visit-payments.service.js';
import { VisitorLimits } from './visitor-limits.service.js';
import { VisitorSecrets } from './visitor-secrets.service.js';
import { stateProjection } from '../../platform/projections/projection.js';

interface LinkRow extends PublicLinkState {
  /** Whether settings were saved: an address or a blocked student also makes a row. */
  salvo: boolean;
}

/** A tenant's settings, under the tenant's id; no row until something was changed. */
const publicLinks = stateProjection(publicLink, {
  name: 'public-links',
  topic: 'public-link',
  table: 'public_links',
  version: 2,
  evolve(row: LinkRow | undefined, event) {
    const after = publicLink.evolve(row ?? publicLink.initialState, event);
    switch (event.type) {
      case 'PublicLinkSet':
        return { ...after, salvo: true };
      case 'PublicSlugChanged':
      case 'VisitorBlocked':
      case 'VisitorUnblocked':
        return { ...after, salvo: row?.salvo ?? false };
    }
  },
});

interface VisitRow {
  session_id: string;
  student_id: string;
  nome: string | null;
  email: string | null;
  novo: boolean;
  consentimento: number;
  criado_em: string;
  /** The trainer's message with a refusal. */
  mensagem: string | null;
  /** When it lapses unless it is confirmed. */
  vence_em: string | null;
  venceu: boolean;
}

/** Visitors' bookings, one row each. */
const visits = stateProjection(visit, {
  name: 'visits',
  topic: 'visits',
  table: 'visits',
  version: 4,
  evolve: (row: VisitRow | undefined, event) => {
    const { type, data } = event;
    switch (type) {
      case 'VisitorBooked': {
        const { session_id, student_id, nome, email, novo, consentimento, vence_em = null } = data;
        const criado_em = event.recordedAt.toISOString();
        return {
          session_id,
          student_id,
          nome,
          email,
          novo,
          consentimento,
          criado_em,
          mensagem: null,
          vence_em,
          venceu: false,
        };
      }
      case 'VisitMoved':
        return row ? { ...row, vence_em: data.vence_em } : null;
      case 'VisitPaid':
        return row ? { ...row, vence_em: data.vence_em, venceu: false } : null;
      case 'VisitAssigned': {
        const { student_id, nome, email } = data;
        return row ? { ...row, student_id, nome, email, novo: false } : null;
      }
      case 'VisitReassigned':
        return row ? { ...row, student_id: data.student_id } : null;
      case 'VisitLapsed':
        return row ? { ...row, vence_em: null, venceu: true } : null;
      case 'VisitDeclined':
        return row ? { ...row, vence_em: null, mensagem: data.mensagem } : null;
    }
  },
});

/** Finds visitors' private links by the hash of their token. */
const visitorLinks = defineGuard<VisitEvent>({
  name: 'visitor-links',
  tables: ['visitor_links'],
  writes: {
    VisitorBooked: ({ visit_id, token_hash }) => [
      [
        `insert into visitor_links (tenant_id, id, token_hash) values ($1, $2, decode($3, 'hex'))`,
        visit_id,
        token_hash,
      ],
    ],
  },
});

const noTrainer = {
  status: 404,
  title: 'Personal não encontrado',
  detail: 'O link pode ter mudado ou sido desativado. Peça o link atual ao seu personal.',
};
const noLocation = {
  status: 404,
  title: 'Este local não está mais disponível',
  detail: 'Escolha outro local na página do personal.',
};

const visitorFailures = pageFailures('/p', ({ code, detail, extensions: { contato } }, path) => {
  if (code === 'public.location_gone') {
    const trainersPage = path.split('/', 3).join('/');
    const action = html`<a class="button" href="${trainersPage}">Ver outros locais</a>`;
    return { ...noLocation, action };
  }
  if (code === 'public.paused') {
    const words = { status: 404, title: detail!, detail: 'Volte mais tarde.' };
    if (typeof contato !== 'string') return words;
    const action = html`<a class="button" href="${contato}" rel="noopener noreferrer">Falar no WhatsApp</a>`;
    return { ...words, detail: 'Para agendar uma aula, fale pelo WhatsApp.', action };
  }
  return /^\/p\/(reserva|espera)\//.test(path) ? DEAD_LINK : noTrainer;
});

/**
 * The waitlist is one stream per request and the guard `waitlist`: who is waiting, in order, and which times are held. A round
 * (`waiting.rounds.ts`) ends expired offers and offers each free time to the first person whom it suits, for an hour (at night
 * until 9:00). Who left no e-mail address is told by the trainer, who gets a notification and the message among the reminders;
 * the hour begins again when it is sent. An offer that nobody sent within its hour stands on, in the same place of the queue,
 * until it is sent or the trainer skips the person; meanwhile visitors of the page can book its time, and the next person who
 * is told by mail is offered it. The job `waitlists` and every command that changes the queue run it
 * under the tenant's lock; a held time is busy for everybody else.
 *
 * A public page is read in one round trip. `tenant_of_slug` sets the tenant of the slug, and one statement under row security
 * reads the rest; busy times come from the guard's table, which is never behind. Free times are computed (`public.slots.ts`) for
 * the page, and again under the tenant's lock when booking. Phone and name of a visitor identify the student who has both (by
 * the projection, and by later events), or a student whose id follows from both and the master key. Where others have the
 * phone, such as a mother and her twins, the trainer says whose the booking is when confirming it. Status, text, headers and time
 * of the answer are the same in both cases (`Rende-Position` is omitted, and answers are sent at multiples of 250 ms). Page
 * views are counted by each process separately (`byProcess`), because counting them in the database took longer than answering.
 * A former slug redirects for a year; a trainer with twenty former slugs can only change back to one of them.
 *
 * A phone number proves nothing. A booking that the trainer has not confirmed costs the student nothing, sends no reminder and
 * does not reactivate an inactive student; cancelling it by a private link costs nothing either. A blocked person gets the same
 * answer as for a time that is taken.
 *
 * Unconfirmed bookings are limited per trainer (`visitor-demand.ts`): to a share of the free week per hour and per day, which
 * grows with what the trainer confirmed in the last four weeks. It is checked under the tenant's lock. From twelve unconfirmed
 * bookings on, browsers spend a proof of work, which doubles up to eight times. Attempts are counted per address and page, for
 * IPv6 also per /56 and /48, and per phone and page; those at all pages together have ten times as many. A booking that is not confirmed within 48 hours lapses (job `visit-lapses`), as its page and mail
 * announce; that is so for every phone, since otherwise it would reveal which ones are known. What exists only by visitors'
 * bookings (`strangers.loads.ts`: no act of somebody signed in, nothing confirmed) the trainer declines and forgets in one command.
 *
 * Money at the door (`door.ts`): the page may ask for a deposit or the whole price by Pix first, and say what not coming costs. What it
 * announces is sent with the booking, agreed to by the text with version 3, and kept in the session (`porta`); later settings change no
 * booking. The charge is an ordinary one over the whole price, whose deposit (`entrada`) is asked first. Until that is paid the time is
 * held for some minutes, or, where no provider tells of payments, for the usual 48 hours; then the job above cancels booking and charge
 * in one command. A payment does not confirm by itself, because a phone number proves nothing: it gives the trainer 48 hours
 * (`FollowPayment`, after each payment). A Pix that comes later books again if the time is free; otherwise it stays "a decidir".
 * When the session is cancelled, what it owes by the agreed terms is what its charge asks for (`followBooking` of `charges`), and what was
 * paid beyond is "a devolver". One that takes place uses no credit. A phone holds at most three such times an hour.
 *
 * Mails to visitors are sent by reactions to the events of visits and their sessions, at most ten a day to one address. The
 * address is unverified, so these mails contain nothing that a visitor wrote.
 *
 * The pages of visitors (`/p/…`) are rendered by the server (`visitor-pages.html.ts`; `html` escapes every value) and can be
 * read without a script. Their script (`frontend/booking`, 6 kB) sends forms and shows errors. Days and times come from the
 * server in the trainer's zone; the device's clock is not used. A booking is kept on the device that made it, as its link and
 * time, and each page of the trainer asks the server whether it still stands before it greets with it.
 *
 * Which of the free times a page shows (`offeredStarts`) decides nothing: every bookable time can be booked.
 */
@Module(
  together(
    serve(publicLinkApi, {
      block: BlockVisitor,
      decline: DeclineVisit,
      show: ShowPublicLink,
      set: SetPublicLink,
      changeSlug: ChangeSlug,
      visits: ListVisits,
      strangers: ListStrangers,
      forgetStrangers: ForgetStrangers,
      confirm: ConfirmVisit,
    }),
    serve(waitlistApi, { skip: SkipWaiting, sent: MarkOffer, list: ListWaiting }),
    {
      controllers: [PublicPageController, WaitlistController, VisitorPagesController],
      providers: [
        BookAsVisitor.Handler,
        MoveVisit.Handler,
        CancelVisit.Handler,
        LapseVisits.Handler,
        lapseVisits.Handler,
        PublicPages,
        ListFreeStarts.Handler,
        BookingAnswers,
        VisitLinks,
        TrainerPhones,
        VisitorLimits,
        VisitorSecrets,
        VisitMails,
        FollowPayment.Handler,
        VisitPayments,
        JoinWaitlist.Handler,
        TakeOffer.Handler,
        RefuseOffer.Handler,
        LeaveWaitlist.Handler,
        NoteOfferNotMailed.Handler,
        FindUntoldOffer.Handler,
        PlayWaitlist.Handler,
        WaitingLinks,
        WaitlistMails,
        playWaitlists.Handler,
      ],
    },
  ),
)
export class PublicLinkModule {
  static readonly feature: Feature = {
    aggregates: [publicLink, visit, waiting],
    guards: [visitorLinks, waitlistGuard],
    projections: [publicLinks, visits, waitlistRows],
    history: { ...publicLinkHistory, ...waitlistHistory },
    ownData: {
      trainer: {
        'link-publico': `select t.slug, p.ativo, p.dias, p.duracao_min, p.intervalo_min, p.por_dia, p.ver_todos, p.antecedencia_min, p.locais,
        p.texto, p.cref, p.primeira_aula, p.antecipado, p.sinal, p.espera_min, p.falta_percent, p.whatsapp, p.indexavel, p.bloqueados from tenants t left join public_links p on p.tenant_id = t.tenant_id`,
      },
      sheets: {
        reservas: `select v.id, v.session_id, v.student_id, v.nome, v.email, s.inicio, s.fim, s.status, s.confirmado,
        v.consentimento, v.criado_em, v.mensagem
      from visits v left join sessions s on s.tenant_id = v.tenant_id and s.id = v.session_id order by v.criado_em, v.id`,
        'lista-de-espera': `select id, student_id, nome, email, location_id, de, ate, periodos, status, pulado, ofertas, criado_em
      from waitlist order by criado_em, id`,
      },
      student: {
        reservas: `select id, session_id, nome, email, consentimento, criado_em, mensagem from visits where student_id = $1
      order by criado_em, id`,
        'lista-de-espera': `select id, nome, email, location_id, de, ate, periodos, status, criado_em from waitlist where student_id = $1
      order by criado_em, id`,
      },
    },
    reactions: [visitMail, visitPayments, waitlistMail],
    jobs: [playWaitlists, lapseVisits],
    failures: [visitorFailures],
    errors: { ...publicLinkErrors, ...publicPageErrors, ...waitlistErrors },
  };
}
