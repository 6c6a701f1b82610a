// Rebuilds the projections named as arguments, or all, one after another; sends the duration and the peak memory of the
// process.
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { backendModule } from '../start/database.mjs';

const [{ AppModule }, { readConfig }, { EventCodec }, { PersonalData }, { FeatureRegistry }, { Rebuild }] =
  await Promise.all(
    [
      'app.module.js',
      'platform/config/env.js',
      'platform/event-store/event-codec.js',
      'platform/event-store/personal-data.js',
      'platform/features.js',
      'platform/projections/rebuild.js',
    ].map(backendModule),
  );
const config = readConfig();
const features = new FeatureRegistry(() => Reflect.getMetadata(MODULE_METADATA.IMPORTS, AppModule));
const personalData = new PersonalData(config);
const rebuild = new Rebuild(config, features, new EventCodec(features, personalData), personalData);

const given = process.argv.slice(2);
const began = performance.now();
for (const name of given.length > 0 ? given : rebuild.names) await rebuild.run(name);
process.send({
  seconds: (performance.now() - began) / 1000,
  rss: process.resourceUsage().maxRSS * 1024,
});
process.disconnect();
