import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Problem } from '../../platform/http/problem.js';
import { FindPhone } from '../accounts/profile.queries.js';
import { publicPageErrors } from './public-page.api.js';

/** Whose phone it is, and what the link's settings say of it; undefined while nothing was saved. */
export interface Trainer {
  trainerId: string;
  whatsapp: string | null | undefined;
}

/** Whom visitors can write to once they have booked: the number of the settings, the account's until they are saved. */
@Injectable()
export class TrainerPhones {
  constructor(private readonly queries: QueryBus) {}

  async of({ trainerId, whatsapp }: Trainer): Promise<string | null> {
    return whatsapp === undefined ? this.queries.execute(new FindPhone(trainerId)) : whatsapp;
  }

  /**
   * That number is told to every visitor; typed as one's own it would make all who do so one student.
   * @throws Problem 422
   */
  async refuse(trainer: Trainer, phone: string): Promise<void> {
    if (phone !== (await this.of(trainer))) return;
    const { title } = publicPageErrors['public.trainers_phone'];
    throw new Problem('public.trainers_phone', { errors: [{ pointer: '/whatsapp', detail: title }] });
  }
}
