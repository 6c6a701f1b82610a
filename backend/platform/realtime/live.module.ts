import { Module } from '@nestjs/common';
import { LiveGateway } from './live-gateway.js';

/** The gateway of the sockets, part of the api role. */
@Module({ providers: [LiveGateway] })
export class LiveModule {}
