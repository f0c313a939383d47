// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC3009} from "@openzeppelin/contracts/interfaces/draft-IERC3009.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title Job escrow after ERC-8183 (Agentic Commerce), without hooks
/// @notice Holds the budget of a job until its evaluator completes or rejects it, or until it expires.
/// @dev One token, one fee, one treasury, all fixed at deployment; nobody can pause, upgrade or withdraw.
///
/// Where this contract decides what ERC-8183 leaves open:
/// - Only a zero hook is taken; the optional bytes of each call are ignored.
/// - `claimRefund` is open to anyone. A submitted job waits for `max(expiredAt, submittedAt + EVALUATION_GRACE)`, so
///   that work handed in a second before expiry can still be judged. Work is refused from `expiredAt` on, so the money
///   of any job is refundable at the latest at `expiredAt + EVALUATION_GRACE`, whatever provider and evaluator do.
/// - An evaluator may still complete or reject after expiry, as long as nobody claimed the refund.
/// - The description lives in an event only; `getJob` answers with an empty one.
///
/// Tokens that take a fee on transfer are refused when a job is funded. Tokens that rebase must not be used.
contract JobEscrow is Multicall, ReentrancyGuardTransient {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    enum JobStatus {
        Open,
        Funded,
        Submitted,
        Completed,
        Rejected,
        Expired
    }

    /// @notice A job as `getJob` tells it. `description` is empty and `hook` is zero, always.
    struct Job {
        uint256 id;
        address client;
        address provider;
        address evaluator;
        string description;
        uint256 budget;
        uint256 expiredAt;
        JobStatus status;
        address hook;
        uint256 submittedAt;
    }

    /// @notice What a client signs when somebody else sends the hire.
    struct HireTerms {
        address client;
        address provider;
        address evaluator;
        uint256 expiredAt;
        string description;
        uint256 budget;
        bytes32 salt;
    }

    /// @dev Three storage slots a job.
    struct Escrow {
        address client;
        uint40 expiredAt;
        uint40 submittedAt;
        JobStatus status;
        address provider;
        uint96 budget;
        address evaluator;
    }

    uint256 public constant MAX_FEE_BPS = 1_000;
    uint256 public constant MIN_LIFETIME = 5 minutes;
    uint256 public constant MAX_LIFETIME = 365 days;
    uint256 public constant EVALUATION_GRACE = 1 hours;
    uint256 private constant ALL_BPS = 10_000;

    IERC20 public immutable paymentToken;
    address public immutable treasury;
    /// @notice Part of the budget that goes to the treasury on completion, in basis points.
    uint16 public immutable feeBps;

    /// @notice Sum of the budgets of all funded and submitted jobs. The contract never holds less than this.
    uint128 public escrowed;
    /// @notice Number of jobs created; ids run from 1 to this number.
    uint128 public jobCount;

    mapping(uint256 jobId => Escrow) private _jobs;

    event JobCreated(
        uint256 indexed jobId,
        address indexed client,
        address indexed provider,
        address evaluator,
        uint256 expiredAt
    );
    event JobDescribed(uint256 indexed jobId, string description);
    event ProviderSet(uint256 indexed jobId, address indexed provider);
    event BudgetSet(uint256 indexed jobId, uint256 amount);
    event JobFunded(uint256 indexed jobId, address indexed client, uint256 amount);
    event JobSubmitted(uint256 indexed jobId, address indexed provider, bytes32 deliverable);
    event JobCompleted(uint256 indexed jobId, address indexed evaluator, bytes32 reason);
    event JobRejected(uint256 indexed jobId, address indexed rejector, bytes32 reason);
    event JobExpired(uint256 indexed jobId);
    event PaymentReleased(uint256 indexed jobId, address indexed provider, uint256 amount);
    event Refunded(uint256 indexed jobId, address indexed client, uint256 amount);

    error BadToken(address token);
    error BadTreasury(address treasury);
    error FeeTooHigh(uint256 feeBps);
    error HookUnsupported(address hook);
    error EvaluatorMissing();
    error ProviderMissing();
    error ProviderAlreadySet(uint256 jobId);
    error ProviderIsEvaluator();
    error ExpiryOutOfRange(uint256 expiredAt);
    error BudgetMissing();
    error BudgetMismatch(uint256 budget, uint256 expected);
    error JobNotFound(uint256 jobId);
    error WrongStatus(uint256 jobId, JobStatus status);
    error Unauthorized(address caller);
    error PastExpiry(uint256 jobId);
    error NotRefundableYet(uint256 jobId, uint256 refundableAt);
    error WrongAmountReceived(uint256 received, uint256 expected);

    constructor(IERC20 token, address treasury_, uint16 feeBps_) {
        require(address(token).code.length > 0, BadToken(address(token)));
        require(treasury_ != address(0) && treasury_ != address(this), BadTreasury(treasury_));
        require(feeBps_ <= MAX_FEE_BPS, FeeTooHigh(feeBps_));
        paymentToken = token;
        treasury = treasury_;
        feeBps = feeBps_;
    }

    // ------------------------------------------------------------------ agreeing

    /// @notice Creates an open job of the caller. `provider` may be zero and set later.
    function createJob(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        address hook
    ) external nonReentrant returns (uint256 jobId) {
        require(hook == address(0), HookUnsupported(hook));
        jobId = _create(msg.sender, provider, evaluator, expiredAt, 0, JobStatus.Open, description);
    }

    /// @notice Names the provider of an open job that has none. By the client.
    function setProvider(uint256 jobId, address provider, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Open);
        require(msg.sender == job.client, Unauthorized(msg.sender));
        require(job.provider == address(0), ProviderAlreadySet(jobId));
        require(provider != address(0), ProviderMissing());
        require(provider != job.evaluator, ProviderIsEvaluator());
        job.provider = provider;
        emit ProviderSet(jobId, provider);
    }

    /// @notice Names the price of an open job. By the client or the provider.
    function setBudget(uint256 jobId, uint256 amount, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Open);
        require(msg.sender == job.client || msg.sender == job.provider, Unauthorized(msg.sender));
        job.budget = amount.toUint96();
        emit BudgetSet(jobId, amount);
    }

    // ------------------------------------------------------------------ paying in

    /// @notice Takes the budget from the client by allowance. `expectedBudget` guards against a price changed meanwhile.
    function fund(uint256 jobId, uint256 expectedBudget, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Open);
        uint256 budget = job.budget;
        require(msg.sender == job.client, Unauthorized(msg.sender));
        require(job.provider != address(0), ProviderMissing());
        require(budget == expectedBudget, BudgetMismatch(budget, expectedBudget));
        require(budget > 0, BudgetMissing());
        require(block.timestamp < job.expiredAt, PastExpiry(jobId));
        job.status = JobStatus.Funded;
        _countFunded(jobId, msg.sender, budget);
        _pullByAllowance(msg.sender, budget);
    }

    /// @notice Creates, prices and funds a job of the caller in one transaction, by allowance.
    function createAndFund(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        uint256 budget
    ) external nonReentrant returns (uint256 jobId) {
        jobId = _createFunded(msg.sender, provider, evaluator, expiredAt, budget, description);
        _pullByAllowance(msg.sender, budget);
    }

    /// @notice Creates, prices and funds a job of `terms.client` with a signed EIP-3009 ReceiveWithAuthorization
    /// (to this contract, value `terms.budget`, validAfter 0, nonce `hireNonce(terms)`). Anyone may send it: the nonce
    /// binds the signature to the terms, and the token takes each nonce once.
    function createAndFundWithAuthorization(
        HireTerms calldata terms,
        uint256 validBefore,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant returns (uint256 jobId) {
        jobId = _createFunded(
            terms.client,
            terms.provider,
            terms.evaluator,
            terms.expiredAt,
            terms.budget,
            terms.description
        );
        uint256 before = paymentToken.balanceOf(address(this));
        IERC3009(address(paymentToken)).receiveWithAuthorization(
            terms.client,
            address(this),
            terms.budget,
            0,
            validBefore,
            hireNonce(terms),
            v,
            r,
            s
        );
        _checkReceived(before, terms.budget);
    }

    // ------------------------------------------------------------------ working and judging

    /// @notice Hands in the work as a hash. By the provider, before expiry.
    function submit(uint256 jobId, bytes32 deliverable, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Funded);
        require(msg.sender == job.provider, Unauthorized(msg.sender));
        require(block.timestamp < job.expiredAt, PastExpiry(jobId));
        job.status = JobStatus.Submitted;
        job.submittedAt = uint40(block.timestamp);
        emit JobSubmitted(jobId, msg.sender, deliverable);
    }

    /// @notice Pays the provider, less the fee. By the evaluator.
    function complete(uint256 jobId, bytes32 reason, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Submitted);
        require(msg.sender == job.evaluator, Unauthorized(msg.sender));
        (address provider, uint256 budget) = (job.provider, job.budget);
        uint256 fee = (budget * feeBps) / ALL_BPS;
        job.status = JobStatus.Completed;
        escrowed -= uint128(budget);
        emit JobCompleted(jobId, msg.sender, reason);
        emit PaymentReleased(jobId, provider, budget - fee);
        paymentToken.safeTransfer(provider, budget - fee);
        if (fee > 0) paymentToken.safeTransfer(treasury, fee);
    }

    /// @notice Closes an open job (by the client), or returns the money of a running one (by the evaluator).
    function reject(uint256 jobId, bytes32 reason, bytes calldata) external nonReentrant {
        Escrow storage job = _job(jobId);
        JobStatus status = job.status;
        require(status <= JobStatus.Submitted, WrongStatus(jobId, status));
        bool isOpen = status == JobStatus.Open;
        require(msg.sender == (isOpen ? job.client : job.evaluator), Unauthorized(msg.sender));
        job.status = JobStatus.Rejected;
        emit JobRejected(jobId, msg.sender, reason);
        if (!isOpen) _refund(jobId, job);
    }

    /// @notice Returns the money of a job that was funded and ran out of time. By anyone.
    function claimRefund(uint256 jobId) external nonReentrant {
        uint256 from = refundableAt(jobId);
        require(block.timestamp >= from, NotRefundableYet(jobId, from));
        Escrow storage job = _jobs[jobId];
        job.status = JobStatus.Expired;
        emit JobExpired(jobId);
        _refund(jobId, job);
    }

    // ------------------------------------------------------------------ reading

    function getJob(uint256 jobId) external view returns (Job memory) {
        Escrow storage job = _job(jobId);
        return
            Job({
                id: jobId,
                client: job.client,
                provider: job.provider,
                evaluator: job.evaluator,
                description: "",
                budget: job.budget,
                expiredAt: job.expiredAt,
                status: job.status,
                hook: address(0),
                submittedAt: job.submittedAt
            });
    }

    /// @notice From when `claimRefund` succeeds, in seconds. Reverts for jobs that hold no money.
    function refundableAt(uint256 jobId) public view returns (uint256) {
        Escrow storage job = _job(jobId);
        (JobStatus status, uint256 expiredAt) = (job.status, job.expiredAt);
        if (status == JobStatus.Funded) return expiredAt;
        require(status == JobStatus.Submitted, WrongStatus(jobId, status));
        uint256 judgedBy = job.submittedAt + EVALUATION_GRACE;
        return judgedBy > expiredAt ? judgedBy : expiredAt;
    }

    /// @notice The authorization nonce that binds a client's signature to these terms, this chain and this contract.
    function hireNonce(HireTerms calldata terms) public view returns (bytes32) {
        return keccak256(abi.encode(terms, block.chainid, address(this)));
    }

    // ------------------------------------------------------------------ inside

    function _createFunded(
        address client,
        address provider,
        address evaluator,
        uint256 expiredAt,
        uint256 budget,
        string calldata description
    ) private returns (uint256 jobId) {
        require(provider != address(0), ProviderMissing());
        require(budget > 0, BudgetMissing());
        jobId = _create(client, provider, evaluator, expiredAt, budget, JobStatus.Funded, description);
        emit BudgetSet(jobId, budget);
        _countFunded(jobId, client, budget);
    }

    function _create(
        address client,
        address provider,
        address evaluator,
        uint256 expiredAt,
        uint256 budget,
        JobStatus status,
        string calldata description
    ) private returns (uint256 jobId) {
        require(evaluator != address(0), EvaluatorMissing());
        require(provider != evaluator, ProviderIsEvaluator());
        require(
            expiredAt > block.timestamp + MIN_LIFETIME && expiredAt <= block.timestamp + MAX_LIFETIME,
            ExpiryOutOfRange(expiredAt)
        );
        jobId = ++jobCount;
        _jobs[jobId] = Escrow({
            client: client,
            expiredAt: uint40(expiredAt),
            submittedAt: 0,
            status: status,
            provider: provider,
            budget: budget.toUint96(),
            evaluator: evaluator
        });
        emit JobCreated(jobId, client, provider, evaluator, expiredAt);
        emit JobDescribed(jobId, description);
    }

    function _countFunded(uint256 jobId, address client, uint256 budget) private {
        escrowed += uint128(budget);
        emit JobFunded(jobId, client, budget);
    }

    function _pullByAllowance(address client, uint256 amount) private {
        uint256 before = paymentToken.balanceOf(address(this));
        paymentToken.safeTransferFrom(client, address(this), amount);
        _checkReceived(before, amount);
    }

    function _checkReceived(uint256 before, uint256 amount) private view {
        uint256 received = paymentToken.balanceOf(address(this)) - before;
        require(received == amount, WrongAmountReceived(received, amount));
    }

    function _refund(uint256 jobId, Escrow storage job) private {
        (address client, uint256 budget) = (job.client, job.budget);
        escrowed -= uint128(budget);
        emit Refunded(jobId, client, budget);
        paymentToken.safeTransfer(client, budget);
    }

    function _job(uint256 jobId) private view returns (Escrow storage job) {
        job = _jobs[jobId];
        require(job.client != address(0), JobNotFound(jobId));
    }

    function _jobIn(uint256 jobId, JobStatus status) private view returns (Escrow storage job) {
        job = _job(jobId);
        require(job.status == status, WrongStatus(jobId, job.status));
    }
}
