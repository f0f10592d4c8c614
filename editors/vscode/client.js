// Client of a language server over standard input and output: framing, requests, notifications. It knows nothing of VS Code.
"use strict";

const { spawn } = require("child_process");

class Client {
  // `told` is called with the method and the parameters of each notification, `ended` with words when the server is gone.
  constructor(command, args, options, told, ended) {
    this.next = 1;
    this.waiting = new Map();
    this.bytes = Buffer.alloc(0);
    this.told = told;
    this.process = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"], ...options });
    const end = (words) => {
      for (const { reject } of this.waiting.values()) reject(new Error(words));
      this.waiting.clear();
      if (!this.stopped) ended(words);
      this.stopped = true;
    };
    this.process.on("error", (error) => end(`${command} can't be started: ${error.message}`));
    this.process.on("exit", (status) => end(`${command} has ended (${status})`));
    this.process.stdin.on("error", () => {});
    this.process.stdout.on("data", (bytes) => this.take(bytes));
  }

  take(bytes) {
    this.bytes = Buffer.concat([this.bytes, bytes]);
    for (;;) {
      const end = this.bytes.indexOf("\r\n\r\n");
      const length = end < 0 ? null : /content-length: *(\d+)/i.exec(this.bytes.toString("latin1", 0, end));
      if (!length || this.bytes.length < end + 4 + Number(length[1])) return;
      const body = this.bytes.toString("utf8", end + 4, end + 4 + Number(length[1]));
      this.bytes = this.bytes.subarray(end + 4 + Number(length[1]));
      this.handle(JSON.parse(body));
    }
  }

  handle(message) {
    const asked = this.waiting.get(message.id);
    if (message.method) {
      this.told(message.method, message.params);
    } else if (asked) {
      this.waiting.delete(message.id);
      if (message.error) asked.reject(new Error(message.error.message));
      else asked.resolve(message.result);
    }
  }

  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.process.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  }

  notify(method, params) {
    if (!this.stopped) this.send({ method, params });
  }

  // `cancelled` is told a function to call when nobody waits for the answer any more.
  request(method, params, cancelled = () => {}) {
    if (this.stopped) return Promise.reject(new Error("the server has ended"));
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      cancelled(() => this.notify("$/cancelRequest", { id }));
      this.send({ id, method, params });
    });
  }

  async stop() {
    if (this.stopped) return;
    const answer = this.request("shutdown");
    this.stopped = true;
    await answer.catch(() => {});
    this.send({ method: "exit" });
  }
}

module.exports = { Client };
