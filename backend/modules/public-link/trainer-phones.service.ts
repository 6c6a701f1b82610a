import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Problem } from '../../platform/http/problem.js';
import { FindPhone } from '../accounts/profile.queries.js';
import { publicPageErrors } from './public-page.api.js';

/** The owner of the page and its settings; undefined until settings are saved. */
export interface Trainer {
  trainerId: string;
  whatsapp: string | null | undefined;
}

/** The number that visitors can write to after booking: that of the settings, or of the account until they are saved. */
@Injectable()
export class TrainerPhones {
  constructor(private readonly queries: QueryBus) {}

  async of({ trainerId, whatsapp }: Trainer): Promise<string | null> {
    return whatsapp === undefined ? this.queries.execute(new FindPhone(trainerId)) : whatsapp;
  }

  /**
   * The trainer's number is shown to every visitor; all who typed it as their own would become the same student.
   * @throws Problem 422
   */
  async refuse(trainer: Trainer, phone: string): Promise<void> {
    if (phone !== (await this.of(trainer))) return;
    const { title } = publicPageErrors['public.trainers_phone'];
    throw new Problem('public.trainers_phone', { errors: [{ pointer: '/whatsapp', detail: title }] });
  }
}
