import { Controller, Param } from '@nestjs/common';
import { Serves } from '../../platform/http/serve.js';
import { postalCodesApi } from './postal-codes.api.js';
import { PostalCodes } from './postal-codes.service.js';

@Controller()
export class PostalCodesController {
  constructor(private readonly postalCodes: PostalCodes) {}

  @Serves(postalCodesApi.find)
  find(@Param('cep') cep: string) {
    return this.postalCodes.find(cep);
  }
}
