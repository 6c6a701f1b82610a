// Rebuilds the projections named as arguments, or all, one after another; sends the duration and the peak memory of the
// process.
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { backendModule } from '../start/database.mjs';

const [
  { AppModule },
  { readConfig },
  { EventCodec },
  { PersonalData },
  { FeatureRegistry },
  { ProjectionBuilder },
  { ProjectorPool },
] = await Promise.all(
  [
    'app.module.js',
    'platform/config/env.js',
    'platform/event-store/event-codec.js',
    'platform/event-store/personal-data.js',
    'platform/features.js',
    'platform/projections/projection-builder.js',
    'platform/projections/projector-pool.js',
  ].map(backendModule),
);
const config = readConfig();
const features = new FeatureRegistry(() => Reflect.getMetadata(MODULE_METADATA.IMPORTS, AppModule));
const personalData = new PersonalData(config);
const decoder = { codec: new EventCodec(features, personalData), personalData };
const pool = new ProjectorPool(config);
const builder = new ProjectionBuilder(pool, features, decoder, () => {});

const given = process.argv.slice(2);
const began = performance.now();
for (const name of given.length > 0 ? given : builder.names) await builder.rebuild(name);
await pool.onApplicationShutdown();
process.send({
  seconds: (performance.now() - began) / 1000,
  rss: process.resourceUsage().maxRSS * 1024,
});
process.disconnect();
