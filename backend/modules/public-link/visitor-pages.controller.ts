import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Clock } from '../../platform/clock.js';
import { anyQuery, Pages } from '../../platform/http/pages/send-page.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { dateOf } from '../../platform/local-time.js';
import { ShowPaymentPage } from '../charges/payment-page.queries.js';
import { placeParams, slotQuery, type SlotQuery, slugParams, visitParams } from './public-page.api.js';
import { type FoundPage, type FoundVisit, PublicPages, VisitLinks } from './public-page.queries.js';
import { calendarOf } from './visit-calendar.ics.js';
import { locationPage, trainerPage, visitPage } from './visitor-pages.html.js';
import { minutesOf } from './visits.commands.js';
import { LOOKS } from './visitor-limits.service.js';
import { VisitorSecrets } from './visitor-secrets.service.js';
import { offerQuery, waitingParams } from './waitlist.api.js';
import { MOST_DAYS_AHEAD } from './waitlist.commands.js';
import { joinPage, waitingPage } from './waitlist-pages.html.js';
import { WaitingLinks } from './waitlist.queries.js';

const PAGE = { public: true, media: 'text/html', tags: ['public'] };
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** Default length of the period that somebody waits for. */
const PROPOSED_DAYS = 14;

/** The pages of a trainer's public link and of a visitor's private link. */
@Controller('p')
export class VisitorPagesController {
  constructor(
    private readonly trainers: PublicPages,
    private readonly visits: VisitLinks,
    private readonly waiting: WaitingLinks,
    private readonly secrets: VisitorSecrets,
    private readonly tokens: LinkTokens,
    private readonly queries: QueryBus,
    private readonly pages: Pages,
    private readonly clock: Clock,
  ) {}

  @Get('reserva/:token')
  @RateLimit(LOOKS)
  @Route({ ...PAGE, summary: 'Mostra a reserva de um visitante', params: visitParams, query: slotQuery })
  async show(@Param('token') token: string, @Query() query: SlotQuery, @Res() reply: FastifyReply) {
    const visit = await this.visits.find(token);
    const isOpen = this.isOpen(visit);
    const found = isOpen ? await this.pageOf(visit.slug) : undefined;
    const page = found?.lasting(minutesOf(visit));
    const isComing = visit.status === 'agendada' && Date.parse(visit.fim) > this.clock.now().getTime();
    const { siteUrl } = this.pages;
    const payToken = visit.cobranca && this.tokens.tokenOf('payment', visit.cobranca.link_id);
    const isAsked = isComing && visit.pedido > 0;
    const pay = isAsked ? await this.queries.execute(new ShowPaymentPage(payToken!)) : null;
    const now = this.clock.now();
    const shown = { visit, token, isComing, isOpen, page, query, pay, payToken, now, siteUrl };
    return this.pages.send(reply, await visitPage(shown));
  }

  @Get('reserva/:token/agenda.ics')
  @RateLimit(LOOKS)
  @Route({
    ...PAGE,
    media: 'text/calendar',
    summary: 'Baixa a reserva de um visitante para a agenda',
    params: visitParams,
    query: anyQuery,
  })
  async calendar(@Param('token') token: string, @Res() reply: FastifyReply) {
    const visit = await this.visits.find(token);
    const link = `${this.pages.siteUrl}/p/reserva/${token}`;
    return reply
      .header('Content-Disposition', 'attachment; filename="aula.ics"')
      .type('text/calendar; charset=utf-8')
      .send(calendarOf(visit, link, this.clock.now()));
  }

  @Get('espera/:token')
  @RateLimit(LOOKS)
  @Route({
    ...PAGE,
    summary: 'Mostra o lugar de um visitante na lista de espera',
    params: waitingParams,
    query: offerQuery,
  })
  async wait(@Param('token') token: string, @Query('oferta') oferta: unknown, @Res() reply: FastifyReply) {
    const found = await this.waiting.find(token);
    const visitToken = found.visit_id && this.secrets.tokenOf(found.visit_id);
    const followed = oferta === undefined ? null : Number(oferta);
    const { siteUrl } = this.pages;
    const page = found.oferta && (await this.pageOf(found.slug));
    const asked = found.service_id ? page?.choosing(found.service_id) : page?.lasting(0);
    const door = asked?.door(found.location_id) ?? null;
    return this.pages.send(reply, waitingPage({ found, token, visitToken, followed, door, siteUrl }));
  }

  @Get(':slug')
  @RateLimit(LOOKS)
  @Route({ ...PAGE, summary: 'Abre a página pública de um personal', params: slugParams, query: slotQuery })
  async trainer(@Param('slug') slug: string, @Query() wish: SlotQuery, @Res() reply: FastifyReply) {
    const found = (await this.trainers.find(slug)).choosing(wish.servico);
    const [place, ...others] = found.locais;
    const { siteUrl } = this.pages;
    // Where there is one location, there is nothing to choose.
    const isOnly = place !== undefined && others.length === 0;
    const page = isOnly ? locationPage(found, place, wish, siteUrl) : trainerPage(found, siteUrl);
    return this.pages.send(reply, page, { isPublic: true });
  }

  @Get(':slug/:location')
  @RateLimit(LOOKS)
  @Route({
    ...PAGE,
    summary: 'Abre a página pública de um local',
    params: placeParams,
    query: slotQuery,
  })
  async location(
    @Param('slug') slug: string,
    @Param('location') location: string,
    @Query() wish: SlotQuery,
    @Res() reply: FastifyReply,
  ) {
    const { found, place } = await this.place(slug, location, wish.servico);
    const page = locationPage(found, place, wish, this.pages.siteUrl);
    return this.pages.send(reply, page, { isPublic: true });
  }

  @Get(':slug/:location/espera')
  @RateLimit(LOOKS)
  @Route({ ...PAGE, summary: 'Abre a lista de espera de um local', params: placeParams, query: slotQuery })
  async join(
    @Param('slug') slug: string,
    @Param('location') location: string,
    @Query() { servico }: SlotQuery,
    @Res() reply: FastifyReply,
  ) {
    const { found, place } = await this.place(slug, location, servico);
    const now = this.clock.now().getTime();
    const date = (days: number) => dateOf(now + days * DAY, found.timezone);
    const days = { from: date(0), until: date(PROPOSED_DAYS), to: date(MOST_DAYS_AHEAD) };
    const page = joinPage({ found, place, ...days, siteUrl: this.pages.siteUrl });
    return this.pages.send(reply, page, { isPublic: true });
  }

  private async place(slug: string, location: string, servico: unknown) {
    const found = (await this.trainers.find(slug)).choosing(servico);
    const place = found.locais.find(({ id }) => id === location.toLowerCase());
    if (!place) throw new Problem('public.location_gone');
    return { found, place };
  }

  /** Whether the visitor can still move or cancel it. */
  private isOpen({ status, inicio, antecedencia_min }: FoundVisit): boolean {
    const left = Date.parse(inicio) - this.clock.now().getTime();
    return status === 'agendada' && left >= antecedencia_min * MINUTE;
  }

  /** Undefined while the trainer's page is switched off. */
  private async pageOf(slug: string): Promise<FoundPage | undefined> {
    try {
      return await this.trainers.find(slug);
    } catch (error) {
      if (error instanceof Problem && error.code === 'public.paused') return undefined;
      throw error;
    }
  }
}
