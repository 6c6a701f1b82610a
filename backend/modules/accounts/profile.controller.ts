import { Body, Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../platform/http/problem.js';
import { Serves } from '../../platform/http/serve.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { AccountJobs } from './own-data/account-jobs.js';
import { profileApi, type Profile, type ProfileBody, type ProfileChange } from './profile.api.js';
import { Profiles } from './users/profiles.service.js';

@Controller()
export class ProfileController {
  constructor(
    private readonly profiles: Profiles,
    private readonly hints: HintBus,
    private readonly jobs: AccountJobs,
  ) {}

  @Serves(profileApi.show)
  show(@Req() request: FastifyRequest): Promise<Profile> {
    return this.profiles.show(request.caller!.userId);
  }

  @Serves(profileApi.change)
  async change(@Body() changed: ProfileChange, @Req() request: FastifyRequest) {
    const { userId, memberships } = request.caller!;
    if (memberships.some(({ role }) => role === 'personal')) refuseGaps(changed);
    await this.profiles.change(userId, changed);
    this.hints.personChanged(userId);
    if (memberships.some(({ role }) => role === 'aluno')) this.jobs.wake('contact', userId);
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
