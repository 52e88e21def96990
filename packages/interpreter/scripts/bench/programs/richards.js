// The kernel of an operating system: tasks, packets and their queues. Functions in fields are
// called.

const idle = 0;
const worker = 1;
const handlerA = 2;
const handlerB = 3;
const deviceA = 4;
const deviceB = 5;
const devicePacket = 0;
const workPacket = 1;

class Packet {
  constructor(link, identity, kind) {
    this.link = link;
    this.identity = identity;
    this.kind = kind;
    this.datum = 0;
    this.data = [0, 0, 0, 0];
  }
}

function appended(packet, queue) {
  packet.link = null;
  if (queue === null) return packet;
  let last = queue;
  while (last.link !== null) last = last.link;
  last.link = packet;
  return queue;
}

class TaskState {
  isPacketPending = false;
  isWaiting = false;
  isHolding = false;
  static running() {
    return new TaskState();
  }
  static waiting() {
    const state = new TaskState();
    state.isWaiting = true;
    return state;
  }
  static waitingWithPacket() {
    const state = TaskState.waiting();
    state.isPacketPending = true;
    return state;
  }
}

class Task {
  constructor(link, identity, priority, input, state, run, data) {
    this.link = link;
    this.identity = identity;
    this.priority = priority;
    this.input = input;
    this.run = run;
    this.data = data;
    this.isPacketPending = state.isPacketPending;
    this.isWaiting = state.isWaiting;
    this.isHolding = state.isHolding;
  }
  isHoldingOrWaiting() {
    return this.isHolding || (!this.isPacketPending && this.isWaiting);
  }
  addInput(packet, oldTask) {
    if (this.input !== null) {
      this.input = appended(packet, this.input);
      return oldTask;
    }
    this.input = packet;
    this.isPacketPending = true;
    return this.priority > oldTask.priority ? this : oldTask;
  }
  runOnce() {
    let message = null;
    if (this.isPacketPending && this.isWaiting && !this.isHolding) {
      message = this.input;
      this.input = message.link;
      this.isWaiting = false;
      this.isPacketPending = this.input !== null;
    }
    return this.run(message, this.data);
  }
}

class Scheduler {
  tasks = null;
  current = null;
  table = new Array(6).fill(null);
  queuedCount = 0;
  heldCount = 0;

  add(identity, priority, input, state, data, run) {
    this.tasks = new Task(this.tasks, identity, priority, input, state, run, data);
    this.table[identity] = this.tasks;
  }
  addIdle() {
    const data = { control: 1, count: 10_000 };
    this.add(idle, 0, null, TaskState.running(), data, () => {
      data.count--;
      if (data.count === 0) return this.holdSelf();
      if ((data.control & 1) === 0) {
        data.control /= 2;
        return this.release(deviceA);
      }
      data.control = (data.control / 2) ^ 53_256;
      return this.release(deviceB);
    });
  }
  addWorker(input) {
    const data = { destination: handlerA, count: 0 };
    this.add(worker, 1_000, input, TaskState.waitingWithPacket(), data, (packet) => {
      if (packet === null) return this.waitSelf();
      data.destination = data.destination === handlerA ? handlerB : handlerA;
      packet.identity = data.destination;
      packet.datum = 0;
      for (let i = 0; i < 4; i++) {
        data.count++;
        if (data.count > 26) data.count = 1;
        packet.data[i] = 65 + data.count - 1;
      }
      return this.queue(packet);
    });
  }
  addHandler(identity, priority, input) {
    const data = { workIn: null, deviceIn: null };
    this.add(identity, priority, input, TaskState.waitingWithPacket(), data, (packet) => {
      if (packet !== null) {
        if (packet.kind === workPacket) data.workIn = appended(packet, data.workIn);
        else data.deviceIn = appended(packet, data.deviceIn);
      }
      const work = data.workIn;
      if (work === null) return this.waitSelf();
      const count = work.datum;
      if (count >= 4) {
        data.workIn = work.link;
        return this.queue(work);
      }
      const device = data.deviceIn;
      if (device === null) return this.waitSelf();
      data.deviceIn = device.link;
      device.datum = work.data[count];
      work.datum = count + 1;
      return this.queue(device);
    });
  }
  addDevice(identity, priority) {
    const data = { pending: null };
    this.add(identity, priority, null, TaskState.waiting(), data, (packet) => {
      if (packet === null) {
        const pending = data.pending;
        if (pending === null) return this.waitSelf();
        data.pending = null;
        return this.queue(pending);
      }
      data.pending = packet;
      return this.holdSelf();
    });
  }
  holdSelf() {
    this.heldCount++;
    this.current.isHolding = true;
    return this.current.link;
  }
  waitSelf() {
    this.current.isWaiting = true;
    return this.current;
  }
  release(identity) {
    const task = this.table[identity];
    if (task === null) throw new Error("no such task");
    task.isHolding = false;
    return task.priority > this.current.priority ? task : this.current;
  }
  queue(packet) {
    const task = this.table[packet.identity];
    if (task === null) throw new Error("no such task");
    this.queuedCount++;
    packet.link = null;
    packet.identity = this.current.identity;
    return task.addInput(packet, this.current);
  }
  schedule() {
    this.current = this.tasks;
    while (this.current !== null) {
      if (this.current.isHoldingOrWaiting()) this.current = this.current.link;
      else this.current = this.current.runOnce();
    }
  }
}

function packets(identity, kind, count) {
  let queue = null;
  for (let i = 0; i < count; i++) queue = new Packet(queue, identity, kind);
  return queue;
}

function main() {
  const scheduler = new Scheduler();
  scheduler.addIdle();
  scheduler.addWorker(packets(worker, workPacket, 2));
  scheduler.addHandler(handlerA, 2_000, packets(deviceA, devicePacket, 3));
  scheduler.addHandler(handlerB, 3_000, packets(deviceB, devicePacket, 3));
  scheduler.addDevice(deviceA, 4_000);
  scheduler.addDevice(deviceB, 5_000);
  scheduler.schedule();
  return scheduler.queuedCount * 100_000 + scheduler.heldCount;
}
