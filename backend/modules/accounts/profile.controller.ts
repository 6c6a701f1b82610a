import { Body, Controller, Get, Put, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { created } from '../../platform/http/common.api.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { profile, type Profile, type ProfileBody, profileChange, type ProfileChange } from './profile.api.js';
import { Profiles } from './users/profiles.service.js';

@Controller('account/profile')
export class ProfileController {
  constructor(
    private readonly profiles: Profiles,
    private readonly hints: HintBus,
  ) {}

  @Get()
  @Route({ summary: 'Mostra o perfil do usuário', signedIn: true, answer: profile })
  show(@Req() request: FastifyRequest): Promise<Profile> {
    return this.profiles.show(request.caller!.userId);
  }

  @Put()
  @RateLimit({ name: 'profile', points: 60, seconds: 600 })
  @Route({
    summary: 'Muda nome, telefone e data de nascimento',
    signedIn: true,
    body: profileChange,
    answer: created,
  })
  async change(@Body() changed: ProfileChange, @Req() request: FastifyRequest) {
    const { userId, memberships } = request.caller!;
    if (memberships.some(({ role }) => role === 'personal')) refuseGaps(changed);
    await this.profiles.change(userId, changed);
    this.hints.personChanged(userId);
    return { answer: { id: userId }, position: 0 };
  }
}

/** Trainers must have a phone and a birth date, which students and receipts need. */
function refuseGaps({ telefone, data_nascimento }: ProfileBody): void {
  const errors = [
    ...(telefone === null ? [{ pointer: '/telefone', detail: 'Informe seu celular' }] : []),
    ...(data_nascimento === null
      ? [{ pointer: '/data_nascimento', detail: 'Informe sua data de nascimento' }]
      : []),
  ];
  if (errors.length > 0) throw new Problem('profile.required_of_trainer', { errors });
}
