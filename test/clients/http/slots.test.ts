import { expect, it } from 'vitest';
import { createSlots } from '../../../src/clients/http/slots.ts';

const never = new AbortController().signal;

it('hands slots over in the order they were asked for', async () => {
  const slots = createSlots(1);
  const first = await slots.take(never);
  const order: number[] = [];
  const second = slots.take(never).then((giveBack) => {
    order.push(2);
    giveBack();
  });
  const third = slots.take(never).then((giveBack) => {
    order.push(3);
    giveBack();
  });
  await Promise.resolve();
  expect(order).toEqual([]);
  first();
  await Promise.all([second, third]);
  expect(order).toEqual([2, 3]);
});

it('forgets those who stop waiting, and loses no slot over it', async () => {
  const slots = createSlots(1);
  const first = await slots.take(never);
  const leaving = new AbortController();
  const left = slots.take(leaving.signal);
  const stayed = slots.take(never);
  leaving.abort('gone');
  await expect(left).rejects.toBe('gone');
  first();
  (await stayed)();
  (await slots.take(never))();
});

it('passes a slot on that was handed over in the moment of leaving', async () => {
  const slots = createSlots(1);
  const first = await slots.take(never);
  const leaving = new AbortController();
  const left = slots.take(leaving.signal);
  await Promise.resolve();
  leaving.abort('gone');
  first();
  await expect(left).rejects.toBe('gone');
  (await slots.take(never))();
});

it('gives a slot back once only', async () => {
  const slots = createSlots(1);
  const first = await slots.take(never);
  first();
  first();
  await slots.take(never);
  const impatient = new AbortController();
  const waiting = slots.take(impatient.signal);
  impatient.abort('none free');
  await expect(waiting).rejects.toBe('none free');
});

it('does not begin for one that is already gone', async () => {
  await expect(createSlots(1).take(AbortSignal.abort('gone'))).rejects.toBe('gone');
});
