import { applyDecorators, Controller, UseInterceptors } from '@nestjs/common';
import { TimeLimit } from './time-limit.js';

/** A controller of `/auth/v1`, the wire format of the reference auth service. */
export function AuthController(): ClassDecorator {
  return applyDecorators(Controller('auth/v1'), UseInterceptors(TimeLimit));
}
