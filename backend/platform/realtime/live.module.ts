import { Module } from '@nestjs/common';
import { LiveGateway } from './live-gateway.js';

/** Sockets, part of the api role. */
@Module({ providers: [LiveGateway] })
export class LiveModule {}
