import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { ListFreeStarts } from './free-starts.queries.js';
import { publicLinkApi, publicLinkErrors } from './public-link.api.js';
import { BlockVisitor, SetPublicLink, ChangeSlug } from './public-link.commands.js';
import { PublicLinkController } from './public-link.controller.js';
import { publicLinkHistory } from './public-link.history.js';
import { publicLinks, visits } from './public-link.projection.js';
import { ShowPublicLink, ListVisits, ListStrangers } from './public-link.queries.js';
import { publicLink } from './public-link.js';
import { publicPageErrors } from './public-page.api.js';
import { PublicPageController } from './public-page.controller.js';
import { FindBookingAnswerHandler, FindPageHandler, FindVisitHandler } from './public-page.queries.js';
import { TrainerPhones } from './trainer-phones.service.js';
import { ForgetStrangersHandler } from './strangers.commands.js';
import { visit } from './visit.js';
import { lapseVisits, VisitLapsesJob } from './visit-lapses.job.js';
import {
  DeclineVisit,
  ConfirmVisit,
  BookAsVisitor,
  CancelVisit,
  LapseVisits,
  MoveVisit,
} from './visits.commands.js';
import { visitorLinks } from './visitor-links.guard.js';
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
import { playWaitlists, WaitlistJob } from './waitlist.job.js';
import { waitlistMail, WaitlistMails } from './waitlist-mails.service.js';
import { waitlistRows } from './waitlist.projection.js';
import { ListWaiting, FindWaitingHandler } from './waitlist.queries.js';
import { visitorFailures } from './visitor-failures.html.js';
import { VisitorPagesController } from './visitor-pages.controller.js';
import { visitMail, VisitMails } from './visit-mails.service.js';
import { VisitorLimits } from './visitor-limits.service.js';
import { VisitorSecrets } from './visitor-secrets.service.js';

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
      confirm: ConfirmVisit,
    }),
    serve(waitlistApi, { skip: SkipWaiting, sent: MarkOffer, list: ListWaiting }),
    {
      controllers: [PublicLinkController, PublicPageController, WaitlistController, VisitorPagesController],
      providers: [
        BookAsVisitor.Handler,
        MoveVisit.Handler,
        CancelVisit.Handler,
        LapseVisits.Handler,
        VisitLapsesJob,
        ForgetStrangersHandler,
        FindPageHandler,
        ListFreeStarts.Handler,
        FindBookingAnswerHandler,
        FindVisitHandler,
        TrainerPhones,
        VisitorLimits,
        VisitorSecrets,
        VisitMails,
        JoinWaitlist.Handler,
        TakeOffer.Handler,
        RefuseOffer.Handler,
        LeaveWaitlist.Handler,
        NoteOfferNotMailed.Handler,
        PlayWaitlist.Handler,
        FindWaitingHandler,
        WaitlistMails,
        WaitlistJob,
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
    reactions: [visitMail, waitlistMail],
    jobs: [playWaitlists, lapseVisits],
    failures: visitorFailures,
    errors: { ...publicLinkErrors, ...publicPageErrors, ...waitlistErrors },
  };
}
