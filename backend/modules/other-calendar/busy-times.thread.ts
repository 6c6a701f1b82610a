import { parentPort, workerData } from 'node:worker_threads';
import { type BusyAsked, busyTimes } from './busy-times.ics.js';

parentPort!.postMessage(busyTimes(workerData as BusyAsked));
