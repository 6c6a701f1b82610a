import { hash, randomUUID } from 'node:crypto';
import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import {
  newVisit,
  type NewVisit,
  publicPage,
  slugParams,
  visitCancellation,
  type VisitCancellation,
  visitChanged,
  visitMade,
  type VisitMade,
  visitMove,
  type VisitMove,
} from './public-page.api.js';
import {
  type BookedVisit,
  BookingAnswers,
  type FoundPage,
  PublicPages,
  shownPage,
  VisitLinks,
  waysOut,
} from './public-page.queries.js';
import { TrainerPhones } from './trainer-phones.service.js';
import { BookAsVisitor, CancelVisit, MoveVisit, takenProblem } from './visits.commands.js';
import { LOOKS, VisitorLimits } from './visitor-limits.service.js';
import { VisitorSecrets } from './visitor-secrets.service.js';

/** By address, which a carrier's customers share; the links that are changed cannot be guessed. */
export const CHANGES = { name: 'visitor-changes', points: 200, seconds: 600 };
export const BODY_LIMIT = 16 * 1024;
/**
 * Answers to bookings are delayed to a multiple of this, so that their duration does not reveal whether the student
 * existed.
 */
const ANSWER_MS = 250;

export async function inStep<Result>(work: () => Promise<Result>): Promise<Result> {
  const came = performance.now();
  try {
    return await work();
  } finally {
    const took = performance.now() - came;
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS - (took % ANSWER_MS)));
  }
}

/** The public API of a trainer's page. */
@Controller('public')
export class PublicPageController {
  /** Bookings that are being decided, by tenant, location and time. */
  private readonly underWay = new Map<string, Promise<unknown>>();

  constructor(
    private readonly commands: CommandBus,
    private readonly pages: PublicPages,
    private readonly answers: BookingAnswers,
    private readonly visits: VisitLinks,
    private readonly limits: VisitorLimits,
    private readonly secrets: VisitorSecrets,
    private readonly phones: TrainerPhones,
  ) {}

  @Get('pages/:slug')
  @RateLimit(LOOKS)
  @Route({
    summary: 'Mostra a página pública de um personal',
    public: true,
    params: slugParams,
    answer: publicPage,
  })
  async show(@Param('slug') slug: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const page = JSON.stringify(shownPage(await this.pages.find(slug)));
    const etag = `W/"${hash('sha256', page, 'base64url').slice(0, 22)}"`;
    void reply.header('Cache-Control', 'public, max-age=5').header('ETag', etag);
    if (request.headers['if-none-match'] === etag) return reply.status(304).send();
    return reply.type('application/json; charset=utf-8').send(page);
  }

  /** The slug is sent in the body: paths are stored with the Idempotency-Key, and a slug is made of a name. */
  @Post('bookings')
  @Route({
    summary: 'Agenda como visitante',
    public: true,
    body: newVisit,
    answer: visitMade,
    status: 201,
    bodyLimit: BODY_LIMIT,
  })
  async book(
    @Body() wanted: NewVisit,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CommandResult<VisitMade>> {
    return inStep(async () => {
      await this.limits.address(reply);
      return this.makeVisit(wanted, request, reply);
    });
  }

  @Post('visits/move')
  @RateLimit(CHANGES)
  @Route({
    summary: 'Remarca como visitante',
    public: true,
    body: visitMove,
    answer: visitChanged,
    bodyLimit: BODY_LIMIT,
  })
  async move(@Body() { token, inicio }: VisitMove, @Req() request: FastifyRequest) {
    const visit = await this.visits.find(token);
    return this.commands.execute(new MoveVisit(visitorOf(visit, request), visit.visitId, inicio));
  }

  @Post('visits/cancel')
  @RateLimit(CHANGES)
  @Route({
    summary: 'Cancela como visitante',
    public: true,
    body: visitCancellation,
    answer: visitChanged,
    bodyLimit: BODY_LIMIT,
  })
  async cancel(@Body() { token, custo }: VisitCancellation, @Req() request: FastifyRequest) {
    const visit = await this.visits.find(token);
    return this.commands.execute(new CancelVisit(visitorOf(visit, request), visit.visitId, custo));
  }

  /** Of many concurrent bookings of one time only the first is executed; the others wait for its outcome. */
  private async makeVisit(
    wanted: NewVisit,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<CommandResult<VisitMade>> {
    const page = (await this.pages.find(wanted.slug)).choosing(wanted.service_id);
    await this.limits.address(reply, page.tenantId);
    if (!isFree(page, wanted)) return this.decideVisit(page, wanted, request, reply);
    const time = `${page.tenantId} ${Date.parse(wanted.inicio)}`;
    const before = this.underWay.get(time);
    if (before) {
      await before.catch(() => undefined);
      const now = await this.pages.find(wanted.slug, { isFresh: true });
      return this.decideVisit(now.choosing(wanted.service_id), wanted, request, reply);
    }
    const made = this.decideVisit(page, wanted, request, reply).finally(() => this.underWay.delete(time));
    this.underWay.set(time, made);
    return made;
  }

  private async decideVisit(
    page: FoundPage,
    wanted: NewVisit,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<CommandResult<VisitMade>> {
    if (page.service.id !== (wanted.service_id ?? null)) throw new Problem('public.service_gone');
    if (!page.locais.some(({ id }) => id === wanted.location_id)) throw new Problem('public.location_gone');
    const context = visitorOf(page, request);
    const { tenantId } = page;
    // A time that is already taken is refused here, without waiting for the trainer's other commands.
    if (!isFree(page, wanted)) {
      const answer = await this.answers.find(context);
      if (answer) return this.withToken({ answer, position: 0 });
      throw takenProblem(waysOut(page, Date.parse(wanted.inicio), wanted.location_id));
    }
    const { slug: _, site: __, prova, ...booking } = wanted;
    const phone = booking.whatsapp;
    await this.phones.refuse(page.trainer, phone);
    const isHeld = Boolean(page.door(wanted.location_id)?.entrada);
    await this.limits.booking({ tenantId, phone, proof: prova, demand: page.demand, isHeld }, reply);
    const visit_id = randomUUID();
    const token_hash = this.secrets.hashOf(this.secrets.tokenOf(visit_id)).toString('hex');
    const student_ids = this.secrets.studentIds(tenantId, booking);
    const made = await this.commands.execute(
      new BookAsVisitor(context, { ...booking, visit_id, token_hash, student_ids }),
    );
    return this.withToken(made);
  }

  /** The token is derived from the id, so it is not stored. */
  private withToken({ answer, position }: CommandResult<BookedVisit>): CommandResult<VisitMade> {
    return { answer: { ...answer, token: this.secrets.tokenOf(answer.id) }, position };
  }
}

/** A filled hidden field gets the same answer as a time that is taken. */
const isFree = (
  { at }: FoundPage,
  { inicio, site, location_id }: Pick<NewVisit, 'inicio' | 'site' | 'location_id'>,
) => at(location_id).bookable.includes(Date.parse(inicio)) && site === '';

/** The actor of a visitor's command: the tenant's id in place of a user's. */
export function visitorOf(
  { tenantId, timezone }: Pick<FoundPage, 'tenantId' | 'timezone'>,
  request: FastifyRequest,
): CommandContext {
  return {
    tenantId,
    timezone,
    userId: tenantId,
    role: 'aluno',
    studentId: null,
    requestId: request.id,
    device: null,
    idempotency: request.idempotency!,
  };
}
