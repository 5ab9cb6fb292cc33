package io.cutover.local.kinesis;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * HTTP/1.1 on the loopback address with persistent connections, one thread each, so that a slow
 * answer holds up no other connection.
 *
 * <p>Not the JDK's own server: that one overwrites the Date header with the system's clock, and
 * readers take the server's time from there.
 */
final class HttpServer implements AutoCloseable {

  /** A request with its body read whole. */
  @SuppressWarnings("ArrayRecordComponent") // Bodies are passed on, not compared.
  record Request(String method, Map<String, String> headers, byte[] body) {
    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  /**
   * An answer.
   *
   * @param length how many bytes of {@code body} are meant
   * @param cut whether to close the connection when half of the body is sent
   */
  @SuppressWarnings("ArrayRecordComponent") // Bodies are passed on, not compared.
  record Response(int status, Map<String, String> headers, byte[] body, int length, boolean cut) {}

  /** Answers a request; called by many threads at once, and may block. */
  interface Handler {
    Response answer(Request request) throws InterruptedException;
  }

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private final ServerSocket server;
  private final Handler handler;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "kinesis-emulator");
            thread.setDaemon(true);
            return thread;
          });

  HttpServer(int port, Handler handler) {
    this.handler = handler;
    try {
      server = new ServerSocket();
      server.setReuseAddress(true);
      server.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), 1024);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on 127.0.0.1:" + port, e);
    }
    threads.execute(this::accept);
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  @Override
  public void close() {
    threads.shutdownNow();
    closeQuietly(server);
    connections.forEach(HttpServer::closeQuietly);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket connection = server.accept();
        connections.add(connection);
        threads.execute(() -> serve(connection));
      } catch (IOException | java.util.concurrent.RejectedExecutionException e) {
        // Closed by close(), or the connection died before it was accepted: ask the loop again.
        Thread.onSpinWait();
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      connection.setTcpNoDelay(true);
      connection.setSendBufferSize(1 << 20);
      InputStream in = new BufferedInputStream(connection.getInputStream(), 1 << 16);
      OutputStream out = connection.getOutputStream();
      boolean open = true;
      while (open) {
        Request request = read(in, out);
        Response response = handler.answer(request);
        write(response, out);
        open = !response.cut() && !request.header("connection").equalsIgnoreCase("close");
      }
    } catch (IOException e) {
      // The client went away, which is its right.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connections.remove(connection);
    }
  }

  private static Request read(InputStream in, OutputStream out) throws IOException {
    String start = line(in);
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      }
    }
    if (headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
      out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    if (headers.containsKey("transfer-encoding")) {
      throw new IOException("a request with Content-Length is expected, not a chunked one");
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("the request ended early");
    }
    return new Request(start.substring(0, Math.max(start.indexOf(' '), 0)), headers, body);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder(80);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the connection ended");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  private static void write(Response response, OutputStream out) throws IOException {
    StringBuilder head = new StringBuilder(256);
    head.append("HTTP/1.1 ").append(response.status()).append(" -\r\n");
    response.headers().forEach((k, v) -> head.append(k).append(": ").append(v).append("\r\n"));
    head.append("Content-Length: ").append(response.length()).append("\r\n\r\n");
    byte[] headBytes = head.toString().getBytes(StandardCharsets.ISO_8859_1);
    int length = response.cut() ? response.length() / 2 : response.length();
    if (length < 4096) {
      byte[] whole = new byte[headBytes.length + length];
      System.arraycopy(headBytes, 0, whole, 0, headBytes.length);
      System.arraycopy(response.body(), 0, whole, headBytes.length, length);
      out.write(whole);
    } else {
      out.write(headBytes);
      out.write(response.body(), 0, length);
    }
    out.flush();
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      // It is being thrown away; there is nothing to be saved.
      return;
    }
  }
}
