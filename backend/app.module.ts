import { Module } from '@nestjs/common';

/** What the application is made of. */
@Module({ imports: [] })
export class AppModule {}
