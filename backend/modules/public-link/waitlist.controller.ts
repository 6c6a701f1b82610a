import { randomUUID } from 'node:crypto';
import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandResult } from '../../platform/event-store/context.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { visitMade, type VisitMade } from './public-page.api.js';
import { BODY_LIMIT, CHANGES, inStep, visitorOf } from './public-page.controller.js';
import { BookingAnswers, PublicPages } from './public-page.queries.js';
import { TrainerPhones } from './trainer-phones.service.js';
import { VisitorLimits } from './visitor-limits.service.js';
import { VisitorSecrets } from './visitor-secrets.service.js';
import {
  newWaiting,
  type NewWaiting,
  offerAnswer,
  type OfferAnswer,
  offerTaken,
  type OfferTaken,
  waitingChanged,
  waitingLeft,
  type WaitingLeft,
  waitingMade,
  type WaitingMade,
} from './waitlist.api.js';
import { JoinWaitlist, LeaveWaitlist, RefuseOffer, TakeOffer } from './waitlist.commands.js';
import { WaitingLinks } from './waitlist.queries.js';

/** The trainer's list, and the actions of the people in it. */
@Controller()
export class WaitlistController {
  constructor(
    private readonly commands: CommandBus,
    private readonly pages: PublicPages,
    private readonly answers: BookingAnswers,
    private readonly waiting: WaitingLinks,
    private readonly limits: VisitorLimits,
    private readonly secrets: VisitorSecrets,
    private readonly phones: TrainerPhones,
  ) {}

  @Post('public/waitlist')
  @Route({
    summary: 'Entra na lista de espera como visitante',
    public: true,
    body: newWaiting,
    answer: waitingMade,
    status: 201,
    bodyLimit: BODY_LIMIT,
  })
  join(
    @Body() wish: NewWaiting,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CommandResult<WaitingMade>> {
    return inStep(async () => {
      await this.limits.address(reply);
      return this.makeWish(wish, request, reply);
    });
  }

  @Post('public/waitlist/take')
  @RateLimit(CHANGES)
  @Route({
    summary: 'Aceita o horário oferecido pela lista de espera',
    public: true,
    body: offerTaken,
    answer: visitMade,
    status: 201,
    bodyLimit: BODY_LIMIT,
  })
  async take(
    @Body() { token, ...taken }: OfferTaken,
    @Req() request: FastifyRequest,
  ): Promise<CommandResult<VisitMade>> {
    const found = await this.waiting.find(token);
    const visit_id = randomUUID();
    const token_hash = this.secrets.hashOf(this.secrets.tokenOf(visit_id)).toString('hex');
    const context = visitorOf(found, request);
    const { answer, position } = await this.commands.execute(
      new TakeOffer(context, found.waitId, taken, { visit_id, token_hash }),
    );
    return { answer: { ...answer, token: this.secrets.tokenOf(answer.id) }, position };
  }

  @Post('public/waitlist/refuse')
  @RateLimit(CHANGES)
  @Route({
    summary: 'Recusa o horário oferecido pela lista de espera',
    public: true,
    body: offerAnswer,
    answer: waitingChanged,
    bodyLimit: BODY_LIMIT,
  })
  async refuse(@Body() { token, oferta }: OfferAnswer, @Req() request: FastifyRequest) {
    const found = await this.waiting.find(token);
    return this.commands.execute(new RefuseOffer(visitorOf(found, request), found.waitId, oferta));
  }

  @Post('public/waitlist/leave')
  @RateLimit(CHANGES)
  @Route({
    summary: 'Sai da lista de espera como visitante',
    public: true,
    body: waitingLeft,
    answer: waitingChanged,
    bodyLimit: BODY_LIMIT,
  })
  async leave(@Body() { token }: WaitingLeft, @Req() request: FastifyRequest) {
    const found = await this.waiting.find(token);
    return this.commands.execute(new LeaveWaitlist(visitorOf(found, request), found.waitId));
  }

  /** A filled hidden field gets the same answer as a full list. */
  private async makeWish(
    { slug, site, prova, ...wish }: NewWaiting,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<CommandResult<WaitingMade>> {
    const page = (await this.pages.find(slug)).choosing(wish.service_id);
    await this.limits.address(reply, page.tenantId);
    if (page.service.id !== (wish.service_id ?? null)) throw new Problem('public.service_gone');
    if (!page.locais.some(({ id }) => id === wish.location_id)) throw new Problem('public.location_gone');
    if (site !== '') throw new Problem('public.waitlist_full');
    const { tenantId } = page;
    const context = visitorOf(page, request);
    // Sent again after a lost answer: its solution of a challenge was accepted then, and each is accepted only once.
    const made = await this.answers.find(context);
    if (made) return this.withToken({ answer: { id: made.id }, position: 0 });
    await this.phones.refuse(page.trainer, wish.whatsapp);
    const { demand } = page;
    await this.limits.booking({ tenantId, phone: wish.whatsapp, proof: prova, demand }, reply);
    await this.limits.wish(reply, tenantId);
    const wait_id = randomUUID();
    const token_hash = this.secrets.hashOf(this.secrets.tokenOf(wait_id, 'wait')).toString('hex');
    const student_ids = this.secrets.studentIds(tenantId, wish);
    return this.withToken(
      await this.commands.execute(new JoinWaitlist(context, { ...wish, wait_id, token_hash, student_ids })),
    );
  }

  private withToken({ answer, position }: CommandResult<{ id: string }>): CommandResult<WaitingMade> {
    return { answer: { ...answer, token: this.secrets.tokenOf(answer.id, 'wait') }, position };
  }
}
