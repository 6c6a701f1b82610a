import { Controller, Get, Param } from '@nestjs/common';
import type { RateLimitOptions } from '../../platform/http/calls.api.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { postalAddress, postalCodeParams } from './postal-codes.api.js';
import { PostalCodes } from './postal-codes.service.js';

const BY_PERSON: RateLimitOptions = { name: 'postal-codes', points: 60, seconds: 600, byPerson: true };

@Controller('postal-codes')
export class PostalCodesController {
  constructor(private readonly postalCodes: PostalCodes) {}

  @Get(':cep')
  @RateLimit(BY_PERSON)
  @Route({
    summary: 'Busca o endereço de um CEP',
    tags: ['locations'],
    params: postalCodeParams,
    answer: postalAddress,
  })
  find(@Param('cep') cep: string) {
    return this.postalCodes.find(cep);
  }
}
